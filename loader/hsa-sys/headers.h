/* What the bindings are made from; see regenerate.sh. */
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
