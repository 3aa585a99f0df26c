"""NVIDIA's Python bindings of the CUDA driver API on the emulator.

Plain unittest; needs cuda-bindings and a libcuda.so.1 in LD_LIBRARY_PATH: `cargo xtask test python` sees to both.
"""

import array
import ctypes
import threading
import unittest

from cuda.bindings import driver

PTX = b"""
.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 answer = 42;

.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r2, %r2, %r3, %r4;
    setp.ge.u32 %p, %r2, %r1;
    @%p bra DONE;
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd1, %rd1, %rd4;
    add.s64 %rd2, %rd2, %rd4;
    add.s64 %rd3, %rd3, %rd4;
    ld.global.f32 %r4, [%rd1];
    ld.global.f32 %r5, [%rd2];
    add.rn.f32 %r4, %r4, %r5;
    st.global.f32 [%rd3], %r4;
DONE:
    ret;
}

.visible .entry crash()
{
    .reg .b64 %rd;
    mov.u64 %rd, 64;
    st.global.u32 [%rd], 1;
    ret;
}
\0"""

COUNT = 10000


def check(answer):
    """The values of a call that must succeed."""
    error, *values = answer
    if error != driver.CUresult.CUDA_SUCCESS:
        raise AssertionError(f"{error.name}: {driver.cuGetErrorString(error)[1].decode()}")
    return values[0] if len(values) == 1 else values


def address(buffer):
    return ctypes.addressof((ctypes.c_char * 1).from_buffer(buffer))


class Devices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        check(driver.cuInit(0))

    def test_list(self):
        count = check(driver.cuDeviceGetCount())
        self.assertGreaterEqual(count, 1)
        self.assertGreaterEqual(check(driver.cuDriverGetVersion()), 12000)
        for ordinal in range(count):
            device = check(driver.cuDeviceGet(ordinal))
            self.assertIn(b"Emulated GPU", check(driver.cuDeviceGetName(64, device)))
            self.assertEqual(len(check(driver.cuDeviceGetUuid(device)).bytes), 16)
            self.assertGreater(check(driver.cuDeviceTotalMem(device)), 0)

    def test_all_attributes(self):
        for attribute in driver.CUdevice_attribute:
            if not attribute.name.endswith("_MAX"):
                check(driver.cuDeviceGetAttribute(attribute, 0))

    def test_not_supported(self):
        error, _ = driver.cuGraphCreate(0)
        self.assertEqual(error, driver.CUresult.CUDA_ERROR_NOT_SUPPORTED)


class WithContext(unittest.TestCase):
    def setUp(self):
        check(driver.cuInit(0))
        self.context = check(driver.cuDevicePrimaryCtxRetain(0))
        check(driver.cuCtxSetCurrent(self.context))

    def tearDown(self):
        check(driver.cuDevicePrimaryCtxReset(0))
        check(driver.cuDevicePrimaryCtxRelease(0))

    def load(self):
        return check(driver.cuModuleLoadData(PTX))

    def test_vector_add_with_streams_and_events(self):
        module = self.load()
        add = check(driver.cuModuleGetFunction(module, b"add"))
        a = array.array("f", range(COUNT))
        b = array.array("f", (2 * i for i in range(COUNT)))
        size = COUNT * a.itemsize
        results = []
        for stream in [check(driver.cuStreamCreate(0)) for _ in range(3)]:
            start, end = check(driver.cuEventCreate(0)), check(driver.cuEventCreate(0))
            places = [check(driver.cuMemAllocAsync(size, stream)) for _ in range(3)]
            pinned = check(driver.cuMemAllocHost(size))
            check(driver.cuEventRecord(start, stream))
            check(driver.cuMemcpyHtoDAsync(places[0], address(a), size, stream))
            check(driver.cuMemcpyHtoDAsync(places[1], address(b), size, stream))
            values = tuple(int(place) for place in places) + (COUNT,)
            types = (ctypes.c_void_p,) * 3 + (ctypes.c_uint,)
            check(driver.cuLaunchKernel(add, COUNT // 256 + 1, 1, 1, 256, 1, 1, 0, stream, (values, types), 0))
            check(driver.cuMemcpyDtoHAsync(pinned, places[2], size, stream))
            check(driver.cuEventRecord(end, stream))
            for place in places:
                check(driver.cuMemFreeAsync(place, stream))
            results.append((stream, pinned, start, end))
        for stream, pinned, start, end in results:
            check(driver.cuEventSynchronize(end))
            self.assertGreaterEqual(check(driver.cuEventElapsedTime(start, end)), 0)
            check(driver.cuStreamSynchronize(stream))
            sums = (ctypes.c_float * COUNT).from_address(int(pinned))
            self.assertEqual(list(sums), [3.0 * i for i in range(COUNT)])
            check(driver.cuMemFreeHost(pinned))
            check(driver.cuStreamDestroy(stream))
        check(driver.cuModuleUnload(module))

    def test_globals_and_function_attributes(self):
        module = self.load()
        place, size = check(driver.cuModuleGetGlobal(module, b"answer"))
        self.assertEqual(size, 4)
        value = bytearray(4)
        check(driver.cuMemcpyDtoH(address(value), place, 4))
        self.assertEqual(int.from_bytes(value, "little"), 42)
        add = check(driver.cuModuleGetFunction(module, b"add"))
        attribute = driver.CUfunction_attribute
        self.assertEqual(check(driver.cuFuncGetAttribute(attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add)), 1024)
        self.assertEqual(check(driver.cuFuncGetAttribute(attribute.CU_FUNC_ATTRIBUTE_PTX_VERSION, add)), 70)
        self.assertEqual(check(driver.cuFuncGetParamInfo(add, 3)), [24, 4])
        error, _ = driver.cuModuleGetFunction(module, b"missing")
        self.assertEqual(error, driver.CUresult.CUDA_ERROR_NOT_FOUND)

    def test_limits_and_memory(self):
        check(driver.cuCtxSetLimit(driver.CUlimit.CU_LIMIT_STACK_SIZE, 8192))
        self.assertEqual(check(driver.cuCtxGetLimit(driver.CUlimit.CU_LIMIT_STACK_SIZE)), 8192)
        free, total = check(driver.cuMemGetInfo())
        self.assertLessEqual(free, total)
        error, _ = driver.cuMemAlloc(total + 1)
        self.assertEqual(error, driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY)
        place = check(driver.cuMemAlloc(100))
        check(driver.cuMemsetD8(place, 7, 100))
        value = bytearray(100)
        check(driver.cuMemcpyDtoH(address(value), place, 100))
        self.assertEqual(value, bytearray([7] * 100))
        kind = driver.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE
        self.assertEqual(check(driver.cuPointerGetAttribute(kind, place)), driver.CUmemorytype.CU_MEMORYTYPE_DEVICE)
        check(driver.cuMemFree(place))

    def test_jit_error_log(self):
        log = bytearray(1000)
        option = driver.CUjit_option
        options = [option.CU_JIT_ERROR_LOG_BUFFER, option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES]
        text = PTX.replace(b"add.rn.f32", b"subtract.f32")
        error, _ = driver.cuModuleLoadDataEx(text, 2, options, [log, len(log)])
        self.assertEqual(error, driver.CUresult.CUDA_ERROR_INVALID_PTX)
        line = text[: text.index(b"subtract")].count(b"\n") + 1
        self.assertIn(f"line {line}".encode(), log)

    def test_host_function(self):
        called = threading.Event()
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: called.set())
        stream = check(driver.cuStreamCreate(1))
        pointer = driver.CUhostFn(_ptr=ctypes.addressof(function))
        check(driver.cuLaunchHostFunc(stream, pointer, 0))
        check(driver.cuStreamSynchronize(stream))
        self.assertTrue(called.is_set())

    def test_fault_and_reset(self):
        crash = check(driver.cuModuleGetFunction(self.load(), b"crash"))
        check(driver.cuLaunchKernel(crash, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0))
        illegal = driver.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
        self.assertEqual(driver.cuCtxSynchronize()[0], illegal)
        self.assertEqual(driver.cuMemAlloc(16)[0], illegal)
        check(driver.cuDevicePrimaryCtxReset(0))
        check(driver.cuCtxSetCurrent(check(driver.cuDevicePrimaryCtxRetain(0))))
        check(driver.cuMemFree(check(driver.cuMemAlloc(16))))
        check(driver.cuDevicePrimaryCtxRelease(0))


if __name__ == "__main__":
    unittest.main(verbosity=2)
