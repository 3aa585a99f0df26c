/* Lists the agents of an HSA runtime with their instruction sets and memory pools, as any program
 * written against the headers would. Works with AMD's runtime as with the emulator. */
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void check(hsa_status_t status, const char *what) {
    if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK)
        return;
    const char *text = "unknown status";
    hsa_status_string(status, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}
#define CHECK(call) check(call, #call)

static hsa_status_t list_isa(hsa_isa_t isa, void *data) {
    (void)data;
    uint32_t length;
    CHECK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
    char *name = calloc(length + 1, 1);
    CHECK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name));
    printf("  isa %s\n", name);
    free(name);
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t list_pool(hsa_amd_memory_pool_t pool, void *data) {
    (void)data;
    hsa_amd_segment_t segment;
    uint32_t flags = 0;
    bool allocatable;
    CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
    if (segment == HSA_AMD_SEGMENT_GLOBAL)
        CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
    CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allocatable));
    printf("  pool %s%s%s%s%s\n", segment == HSA_AMD_SEGMENT_GROUP ? "group" : "global",
           flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED ? " fine" : "",
           flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED ? " coarse" : "",
           flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT ? " kernarg" : "",
           allocatable ? "" : " (not allocatable)");
    return HSA_STATUS_SUCCESS;
}

static hsa_status_t list_agent(hsa_agent_t agent, void *data) {
    (void)data;
    char name[64], product[64];
    hsa_device_type_t type;
    uint32_t wave, units;
    CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name));
    CHECK(hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_PRODUCT_NAME, product));
    CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
    CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_WAVEFRONT_SIZE, &wave));
    CHECK(hsa_agent_get_info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &units));
    if (type == HSA_DEVICE_TYPE_GPU)
        printf("gpu %s: %s, %" PRIu32 " compute units, wavefronts of %" PRIu32 "\n", name, product, units, wave);
    else
        printf("cpu %s\n", name);
    CHECK(hsa_agent_iterate_isas(agent, list_isa, NULL));
    CHECK(hsa_amd_agent_iterate_memory_pools(agent, list_pool, NULL));
    return HSA_STATUS_SUCCESS;
}

int main(void) {
    uint16_t major, minor;
    CHECK(hsa_init());
    CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major));
    CHECK(hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor));
    printf("HSA %" PRIu16 ".%" PRIu16 "\n", major, minor);
    CHECK(hsa_iterate_agents(list_agent, NULL));
    CHECK(hsa_shut_down());
    return 0;
}
