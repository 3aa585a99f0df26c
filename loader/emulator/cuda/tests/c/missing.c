/* Calls entry points that are not there, twice each. */

#include <stddef.h>

typedef int CUresult;

CUresult cuGraphCreate(void **graph, unsigned flags);
CUresult cuArrayCreate_v2(void **array, const void *descriptor);

enum { NOT_SUPPORTED = 801 };

int main(void) {
    void *made = NULL;
    for (int round = 0; round < 2; round++)
        if (cuGraphCreate(&made, 0) != NOT_SUPPORTED || cuArrayCreate_v2(&made, NULL) != NOT_SUPPORTED)
            return 1;
    return made != NULL;
}
