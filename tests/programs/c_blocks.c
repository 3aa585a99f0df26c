// Where a thread is among which, and the barrier of a block.

#include <assert.h>
#include <device_rt.h>
#include <stdio.h>

enum { MOST = 1024 };

static unsigned numbers[MOST], sums[MOST];

int main(void) {
  unsigned long me = device_thread_index(), count = device_thread_count(), block = device_block_index();
  unsigned here = device_thread_index_in_block();
  unsigned long first = me - here;
  // All blocks have as many threads as the one before this one.
  unsigned long size = block > 0 ? first / block : 0;
  assert(me < count && count <= MOST && first == block * size);

  // Sums of all that the threads before this one have written: each round reads what others wrote in the round before.
  numbers[me] = here + 1;
  device_block_sync();
  for (unsigned distance = 1; distance < MOST; distance *= 2) {
    sums[me] = numbers[me] + (here >= distance ? numbers[me - distance] : 0);
    device_block_sync();
    numbers[me] = sums[me];
    device_block_sync();
  }
  assert(numbers[me] == (here + 1) * (here + 2) / 2);
  if (here == 0)
    printf("block %lu from thread %lu of %lu\n", block, me, count);
  return 0;
}
