// What a GPU has and C has no name for.
#ifndef DEVICE_RT_DEVICE_RT_H
#define DEVICE_RT_DEVICE_RT_H

#include <bits/device_rt.h>

DEVICE_RT_BEGIN

// The number of this thread in the grid, and the number of threads in it.
unsigned long device_thread_index(void);
unsigned long device_thread_count(void);
// The number of this thread's block in the grid, and of the thread in its block.
unsigned long device_block_index(void);
unsigned device_thread_index_in_block(void);
// Waits until all threads of the block are here. What each wrote before is seen by all of them after.
void device_block_sync(void);
// Writes a text to stderr: the one function for output that programs in Rust find under a C name, too.
void write_to_stderr(const char *text);

DEVICE_RT_END

#endif
