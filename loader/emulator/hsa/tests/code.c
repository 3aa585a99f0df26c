/* What tests/code.rs loads: variables that point at each other, one that the program defines, and
 * a kernel. */
int answer = 42;
int *pointer = &answer;
const int table[3] = {1, 2, 3};
extern int external;
int *of_the_program = &external;

__attribute__((amdgpu_kernel)) void store(int *place, int value) {
    *place = value + table[value & 1];
}
