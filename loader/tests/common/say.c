/* The first use of say.ptx, for AMD: writes the environment's variable number argc - 1 to standard output, a line of at
 * most 55 bytes, and returns 1. One thread. */
typedef unsigned int u32;
typedef unsigned long u64;

struct client {
    u32 ports;
    u32 *inbox, *outbox;
    struct { u64 mask; u32 opcode, pad; } *header;
    u64 (*packet)[8];
    u32 locks[128];
};

__attribute__((visibility("protected"))) struct client __llvm_rpc_client;

__attribute__((amdgpu_kernel, visibility("protected"))) void _start(int argc, char **argv, char **envp, int *ret) {
    struct client *client = &__llvm_rpc_client;
    const char *text = envp[argc - 1];
    char *to = (char *)client->packet + 8;
    u64 length = 0;
    for (; length < 55 && text[length]; length++)
        ((volatile char *)to)[length] = text[length];
    *(volatile u64 *)client->packet = length;
    client->header->mask = 1;
    client->header->opcode = 0x63000005; /* WRITE_TO_STDOUT_NEWLINE */
    __atomic_store_n(client->outbox, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(client->inbox, __ATOMIC_ACQUIRE) != 1)
        ;
    *ret = 1;
}
