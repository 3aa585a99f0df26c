// C++ on a GPU: each thread keeps a list of squares on the device's heap; the first one writes a file where it may.

#include <device_rt.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

template <typename T> class List {
public:
  explicit List(size_t size) : items(new T[size]), size(size) {}
  ~List() { delete[] items; }
  T &operator[](size_t at) { return items[at]; }
  T *begin() { return items; }
  T *end() { return items + size; }

private:
  T *items;
  size_t size;
};

int main(int argc, char **argv) {
  unsigned long me = device_thread_index();
  List<unsigned long> squares(me + 1);
  unsigned long sum = 0;
  for (size_t n = 0; n <= me; n++)
    squares[n] = n * n;
  for (unsigned long square : squares)
    sum += square;
  printf("thread %lu: the first %lu squares add up to %lu\n", me, me + 1, sum);

  if (me == 0 && argc > 1) {
    FILE *file = fopen(argv[1], "w");
    if (!file) {
      fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
      return 1;
    }
    fprintf(file, "%lu threads were here\n", device_thread_count());
    fclose(file);
  }
  return 0;
}
