//! Every name of the driver API: its variants, and the version of CUDA that brought each.
//!
//! A row is `name: version entry, version entry / version entry, …;` where the part behind the
//! slash holds the variants in which the null stream is the calling thread's own one. Versions are
//! 1000 × major + 10 × minor, as in the public header of function types. The rows are sorted.

use std::ffi::{c_int, c_void};

use crate::{
    contexts::*, copy::*, device::*, driver::*, error::*, event::*, fill::*, function::*, launch::*, library::*,
    linker::*, memory::*, module::*, occupancy::*, pinned::*, pointer::*, pool::*, proc_address::*, stream::*,
    unsupported::*,
};

/// A name of the driver API.
pub struct Symbol {
    /// The name without suffix.
    pub name: &'static str,
    /// Its variants: since which version, and where.
    pub variants: &'static [Variant],
    /// Those in which the null stream is the calling thread's own one.
    pub per_thread: &'static [Variant],
}

/// A variant of a name.
pub struct Variant {
    /// The version of CUDA that brought it.
    pub since: c_int,
    /// The name that it is exported by.
    pub export: &'static str,
    /// Where it is.
    pub address: *const c_void,
}

// SAFETY: the addresses are those of functions, which never change.
unsafe impl Sync for Variant {}

macro_rules! symbols {
    ($($name:ident: $($since:literal $entry:ident),* $(/ $($own_since:literal $own:ident),*)?;)*) => {
        /// All names, sorted.
        pub static SYMBOLS: &[Symbol] = &[$(Symbol {
            name: stringify!($name),
            variants: &[$(variant!($since $entry)),*],
            per_thread: &[$($(variant!($own_since $own)),*)?],
        }),*];
    };
}

macro_rules! variant {
    ($since:literal $entry:ident) => {
        Variant {
            since: $since,
            export: stringify!($entry),
            address: $entry as *const c_void,
        }
    };
}

symbols! {
    cuArray3DCreate: 2000 cuArray3DCreate, 3020 cuArray3DCreate_v2;
    cuArray3DGetDescriptor: 2000 cuArray3DGetDescriptor, 3020 cuArray3DGetDescriptor_v2;
    cuArrayCreate: 2000 cuArrayCreate, 3020 cuArrayCreate_v2;
    cuArrayDestroy: 2000 cuArrayDestroy;
    cuArrayGetDescriptor: 2000 cuArrayGetDescriptor, 3020 cuArrayGetDescriptor_v2;
    cuArrayGetMemoryRequirements: 11060 cuArrayGetMemoryRequirements;
    cuArrayGetPlane: 11020 cuArrayGetPlane;
    cuArrayGetSparseProperties: 11010 cuArrayGetSparseProperties;
    cuCheckpointOperationComplete: 13040 cuCheckpointOperationComplete;
    cuCheckpointProcessCheckpoint: 12080 cuCheckpointProcessCheckpoint;
    cuCheckpointProcessGetRestoreThreadId: 12080 cuCheckpointProcessGetRestoreThreadId;
    cuCheckpointProcessGetState: 12080 cuCheckpointProcessGetState;
    cuCheckpointProcessLock: 12080 cuCheckpointProcessLock;
    cuCheckpointProcessRestore: 12080 cuCheckpointProcessRestore;
    cuCheckpointProcessUnlock: 12080 cuCheckpointProcessUnlock;
    cuCoredumpDeregisterCompleteCallback: 13020 cuCoredumpDeregisterCompleteCallback;
    cuCoredumpDeregisterStartCallback: 13020 cuCoredumpDeregisterStartCallback;
    cuCoredumpGetAttribute: 12010 cuCoredumpGetAttribute;
    cuCoredumpGetAttributeGlobal: 12010 cuCoredumpGetAttributeGlobal;
    cuCoredumpRegisterCompleteCallback: 13020 cuCoredumpRegisterCompleteCallback;
    cuCoredumpRegisterStartCallback: 13020 cuCoredumpRegisterStartCallback;
    cuCoredumpSetAttribute: 12010 cuCoredumpSetAttribute;
    cuCoredumpSetAttributeGlobal: 12010 cuCoredumpSetAttributeGlobal;
    cuCtxAttach: 2000 cuCtxAttach;
    cuCtxCreate: 2000 cuCtxCreate, 3020 cuCtxCreate_v2, 11040 cuCtxCreate_v3, 12050 cuCtxCreate_v4;
    cuCtxDestroy: 2000 cuCtxDestroy, 4000 cuCtxDestroy_v2;
    cuCtxDetach: 2000 cuCtxDetach;
    cuCtxDisablePeerAccess: 4000 cuCtxDisablePeerAccess;
    cuCtxEnablePeerAccess: 4000 cuCtxEnablePeerAccess;
    cuCtxFromGreenCtx: 12040 cuCtxFromGreenCtx;
    cuCtxGetApiVersion: 3020 cuCtxGetApiVersion;
    cuCtxGetCacheConfig: 3020 cuCtxGetCacheConfig;
    cuCtxGetCurrent: 4000 cuCtxGetCurrent;
    cuCtxGetDevResource: 12040 cuCtxGetDevResource;
    cuCtxGetDevice: 2000 cuCtxGetDevice, 13000 cuCtxGetDevice_v2;
    cuCtxGetExecAffinity: 11040 cuCtxGetExecAffinity;
    cuCtxGetFlags: 7000 cuCtxGetFlags;
    cuCtxGetId: 12000 cuCtxGetId;
    cuCtxGetLimit: 3010 cuCtxGetLimit;
    cuCtxGetSharedMemConfig: 4020 cuCtxGetSharedMemConfig;
    cuCtxGetStreamPriorityRange: 5050 cuCtxGetStreamPriorityRange;
    cuCtxPopCurrent: 2000 cuCtxPopCurrent, 4000 cuCtxPopCurrent_v2;
    cuCtxPushCurrent: 2000 cuCtxPushCurrent, 4000 cuCtxPushCurrent_v2;
    cuCtxRecordEvent: 12050 cuCtxRecordEvent;
    cuCtxResetPersistingL2Cache: 11000 cuCtxResetPersistingL2Cache;
    cuCtxSetCacheConfig: 3020 cuCtxSetCacheConfig;
    cuCtxSetCurrent: 4000 cuCtxSetCurrent;
    cuCtxSetFlags: 12010 cuCtxSetFlags;
    cuCtxSetLimit: 3010 cuCtxSetLimit;
    cuCtxSetSharedMemConfig: 4020 cuCtxSetSharedMemConfig;
    cuCtxSynchronize: 2000 cuCtxSynchronize, 13000 cuCtxSynchronize_v2;
    cuCtxWaitEvent: 12050 cuCtxWaitEvent;
    cuDestroyExternalMemory: 10000 cuDestroyExternalMemory;
    cuDestroyExternalSemaphore: 10000 cuDestroyExternalSemaphore;
    cuDevResourceGenerateDesc: 12040 cuDevResourceGenerateDesc;
    cuDevSmResourceSplit: 13010 cuDevSmResourceSplit;
    cuDevSmResourceSplitByCount: 12040 cuDevSmResourceSplitByCount;
    cuDeviceCanAccessPeer: 4000 cuDeviceCanAccessPeer;
    cuDeviceComputeCapability: 2000 cuDeviceComputeCapability;
    cuDeviceGet: 2000 cuDeviceGet;
    cuDeviceGetAttribute: 2000 cuDeviceGetAttribute;
    cuDeviceGetByPCIBusId: 4010 cuDeviceGetByPCIBusId;
    cuDeviceGetCliqueCount: 13040 cuDeviceGetCliqueCount;
    cuDeviceGetCliqueInfo: 13040 cuDeviceGetCliqueInfo;
    cuDeviceGetCount: 2000 cuDeviceGetCount;
    cuDeviceGetDefaultMemPool: 11020 cuDeviceGetDefaultMemPool;
    cuDeviceGetDevResource: 12040 cuDeviceGetDevResource;
    cuDeviceGetExecAffinitySupport: 11040 cuDeviceGetExecAffinitySupport;
    cuDeviceGetFabricClusterUuid: 13040 cuDeviceGetFabricClusterUuid;
    cuDeviceGetGraphMemAttribute: 11040 cuDeviceGetGraphMemAttribute;
    cuDeviceGetHostAtomicCapabilities: 13000 cuDeviceGetHostAtomicCapabilities;
    cuDeviceGetLuid: 10000 cuDeviceGetLuid;
    cuDeviceGetMemPool: 11020 cuDeviceGetMemPool;
    cuDeviceGetName: 2000 cuDeviceGetName;
    cuDeviceGetNvSciSyncAttributes: 10020 cuDeviceGetNvSciSyncAttributes;
    cuDeviceGetP2PAtomicCapabilities: 13000 cuDeviceGetP2PAtomicCapabilities;
    cuDeviceGetP2PAttribute: 8000 cuDeviceGetP2PAttribute;
    cuDeviceGetPCIBusId: 4010 cuDeviceGetPCIBusId;
    cuDeviceGetProperties: 2000 cuDeviceGetProperties;
    cuDeviceGetTexture1DLinearMaxWidth: 11010 cuDeviceGetTexture1DLinearMaxWidth;
    cuDeviceGetUuid: 9020 cuDeviceGetUuid, 11040 cuDeviceGetUuid_v2;
    cuDeviceGraphMemTrim: 11040 cuDeviceGraphMemTrim;
    cuDevicePrimaryCtxGetState: 7000 cuDevicePrimaryCtxGetState;
    cuDevicePrimaryCtxRelease: 7000 cuDevicePrimaryCtxRelease, 11000 cuDevicePrimaryCtxRelease_v2;
    cuDevicePrimaryCtxReset: 7000 cuDevicePrimaryCtxReset, 11000 cuDevicePrimaryCtxReset_v2;
    cuDevicePrimaryCtxRetain: 7000 cuDevicePrimaryCtxRetain;
    cuDevicePrimaryCtxSetFlags: 7000 cuDevicePrimaryCtxSetFlags, 11000 cuDevicePrimaryCtxSetFlags_v2;
    cuDeviceRegisterAsyncNotification: 12040 cuDeviceRegisterAsyncNotification;
    cuDeviceSetGraphMemAttribute: 11040 cuDeviceSetGraphMemAttribute;
    cuDeviceSetMemPool: 11020 cuDeviceSetMemPool;
    cuDeviceTotalMem: 2000 cuDeviceTotalMem, 3020 cuDeviceTotalMem_v2;
    cuDeviceUnregisterAsyncNotification: 12040 cuDeviceUnregisterAsyncNotification;
    cuDriverGetVersion: 2020 cuDriverGetVersion;
    cuEGLStreamConsumerAcquireFrame: 2000 cuEGLStreamConsumerAcquireFrame;
    cuEGLStreamConsumerConnect: 2000 cuEGLStreamConsumerConnect;
    cuEGLStreamConsumerConnectWithFlags: 2000 cuEGLStreamConsumerConnectWithFlags;
    cuEGLStreamConsumerDisconnect: 2000 cuEGLStreamConsumerDisconnect;
    cuEGLStreamConsumerReleaseFrame: 2000 cuEGLStreamConsumerReleaseFrame;
    cuEGLStreamProducerConnect: 2000 cuEGLStreamProducerConnect;
    cuEGLStreamProducerDisconnect: 2000 cuEGLStreamProducerDisconnect;
    cuEGLStreamProducerPresentFrame: 2000 cuEGLStreamProducerPresentFrame;
    cuEGLStreamProducerReturnFrame: 2000 cuEGLStreamProducerReturnFrame;
    cuEventCreate: 2000 cuEventCreate;
    cuEventCreateFromEGLSync: 2000 cuEventCreateFromEGLSync;
    cuEventDestroy: 2000 cuEventDestroy, 4000 cuEventDestroy_v2;
    cuEventElapsedTime: 2000 cuEventElapsedTime, 12080 cuEventElapsedTime_v2;
    cuEventQuery: 2000 cuEventQuery;
    cuEventRecord: 2000 cuEventRecord / 7000 cuEventRecord_ptsz;
    cuEventRecordWithFlags: 11010 cuEventRecordWithFlags / 11010 cuEventRecordWithFlags_ptsz;
    cuEventSynchronize: 2000 cuEventSynchronize;
    cuExternalMemoryGetMappedBuffer: 10000 cuExternalMemoryGetMappedBuffer;
    cuExternalMemoryGetMappedMipmappedArray: 10000 cuExternalMemoryGetMappedMipmappedArray;
    cuFabricCpyBatchAsync: 13050 cuFabricCpyBatchAsync / 13050 cuFabricCpyBatchAsync_ptsz;
    cuFlushGPUDirectRDMAWrites: 11030 cuFlushGPUDirectRDMAWrites;
    cuFuncGetAttribute: 2020 cuFuncGetAttribute;
    cuFuncGetModule: 11000 cuFuncGetModule;
    cuFuncGetName: 12030 cuFuncGetName;
    cuFuncGetParamCount: 13020 cuFuncGetParamCount;
    cuFuncGetParamInfo: 12040 cuFuncGetParamInfo;
    cuFuncIsLoaded: 12040 cuFuncIsLoaded;
    cuFuncLoad: 12040 cuFuncLoad;
    cuFuncSetAttribute: 9000 cuFuncSetAttribute;
    cuFuncSetBlockShape: 2000 cuFuncSetBlockShape;
    cuFuncSetCacheConfig: 3000 cuFuncSetCacheConfig;
    cuFuncSetSharedMemConfig: 4020 cuFuncSetSharedMemConfig;
    cuFuncSetSharedSize: 2000 cuFuncSetSharedSize;
    cuGLCtxCreate: 2000 cuGLCtxCreate_v2;
    cuGLGetDevices: 2000 cuGLGetDevices_v2;
    cuGLInit: 2000 cuGLInit;
    cuGLMapBufferObject: 2000 cuGLMapBufferObject_v2;
    cuGLMapBufferObjectAsync: 2000 cuGLMapBufferObjectAsync_v2;
    cuGLRegisterBufferObject: 2000 cuGLRegisterBufferObject;
    cuGLSetBufferObjectMapFlags: 2000 cuGLSetBufferObjectMapFlags;
    cuGLUnmapBufferObject: 2000 cuGLUnmapBufferObject;
    cuGLUnmapBufferObjectAsync: 2000 cuGLUnmapBufferObjectAsync;
    cuGLUnregisterBufferObject: 2000 cuGLUnregisterBufferObject;
    cuGetErrorName: 6000 cuGetErrorName;
    cuGetErrorString: 6000 cuGetErrorString;
    cuGetExportTable: 3000 cuGetExportTable;
    cuGetProcAddress: 11030 cuGetProcAddress, 12000 cuGetProcAddress_v2 / 7000 cuGetProcAddress_v2_ptsz;
    cuGraphAddBatchMemOpNode: 11070 cuGraphAddBatchMemOpNode;
    cuGraphAddChildGraphNode: 10000 cuGraphAddChildGraphNode;
    cuGraphAddDependencies: 10000 cuGraphAddDependencies, 12030 cuGraphAddDependencies_v2;
    cuGraphAddEmptyNode: 10000 cuGraphAddEmptyNode;
    cuGraphAddEventRecordNode: 11010 cuGraphAddEventRecordNode;
    cuGraphAddEventWaitNode: 11010 cuGraphAddEventWaitNode;
    cuGraphAddExternalSemaphoresSignalNode: 11020 cuGraphAddExternalSemaphoresSignalNode;
    cuGraphAddExternalSemaphoresWaitNode: 11020 cuGraphAddExternalSemaphoresWaitNode;
    cuGraphAddHostNode: 10000 cuGraphAddHostNode;
    cuGraphAddKernelNode: 10000 cuGraphAddKernelNode, 12000 cuGraphAddKernelNode_v2;
    cuGraphAddMemAllocNode: 11040 cuGraphAddMemAllocNode;
    cuGraphAddMemFreeNode: 11040 cuGraphAddMemFreeNode;
    cuGraphAddMemcpyNode: 10000 cuGraphAddMemcpyNode;
    cuGraphAddMemsetNode: 10000 cuGraphAddMemsetNode;
    cuGraphAddNode: 12020 cuGraphAddNode, 12030 cuGraphAddNode_v2, 13040 cuGraphAddNode_v3;
    cuGraphBatchMemOpNodeGetParams: 11070 cuGraphBatchMemOpNodeGetParams;
    cuGraphBatchMemOpNodeSetParams: 11070 cuGraphBatchMemOpNodeSetParams;
    cuGraphChildGraphNodeGetGraph: 10000 cuGraphChildGraphNodeGetGraph;
    cuGraphClone: 10000 cuGraphClone;
    cuGraphConditionalHandleCreate: 12030 cuGraphConditionalHandleCreate;
    cuGraphCreate: 10000 cuGraphCreate;
    cuGraphDebugDotPrint: 11030 cuGraphDebugDotPrint;
    cuGraphDestroy: 10000 cuGraphDestroy;
    cuGraphDestroyNode: 10000 cuGraphDestroyNode;
    cuGraphEventRecordNodeGetEvent: 11010 cuGraphEventRecordNodeGetEvent;
    cuGraphEventRecordNodeSetEvent: 11010 cuGraphEventRecordNodeSetEvent;
    cuGraphEventWaitNodeGetEvent: 11010 cuGraphEventWaitNodeGetEvent;
    cuGraphEventWaitNodeSetEvent: 11010 cuGraphEventWaitNodeSetEvent;
    cuGraphExecBatchMemOpNodeSetParams: 11070 cuGraphExecBatchMemOpNodeSetParams;
    cuGraphExecChildGraphNodeSetParams: 11010 cuGraphExecChildGraphNodeSetParams;
    cuGraphExecDestroy: 10000 cuGraphExecDestroy;
    cuGraphExecEventRecordNodeSetEvent: 11010 cuGraphExecEventRecordNodeSetEvent;
    cuGraphExecEventWaitNodeSetEvent: 11010 cuGraphExecEventWaitNodeSetEvent;
    cuGraphExecExternalSemaphoresSignalNodeSetParams: 11020 cuGraphExecExternalSemaphoresSignalNodeSetParams;
    cuGraphExecExternalSemaphoresWaitNodeSetParams: 11020 cuGraphExecExternalSemaphoresWaitNodeSetParams;
    cuGraphExecGetFlags: 12000 cuGraphExecGetFlags;
    cuGraphExecGetId: 13010 cuGraphExecGetId;
    cuGraphExecHostNodeSetParams: 10020 cuGraphExecHostNodeSetParams;
    cuGraphExecKernelNodeSetParams:
        10010 cuGraphExecKernelNodeSetParams, 12000 cuGraphExecKernelNodeSetParams_v2;
    cuGraphExecMemcpyNodeSetParams: 10020 cuGraphExecMemcpyNodeSetParams;
    cuGraphExecMemsetNodeSetParams: 10020 cuGraphExecMemsetNodeSetParams;
    cuGraphExecNodeSetParams: 12020 cuGraphExecNodeSetParams;
    cuGraphExecUpdate: 10020 cuGraphExecUpdate, 12000 cuGraphExecUpdate_v2;
    cuGraphExternalSemaphoresSignalNodeGetParams: 11020 cuGraphExternalSemaphoresSignalNodeGetParams;
    cuGraphExternalSemaphoresSignalNodeSetParams: 11020 cuGraphExternalSemaphoresSignalNodeSetParams;
    cuGraphExternalSemaphoresWaitNodeGetParams: 11020 cuGraphExternalSemaphoresWaitNodeGetParams;
    cuGraphExternalSemaphoresWaitNodeSetParams: 11020 cuGraphExternalSemaphoresWaitNodeSetParams;
    cuGraphGetEdges: 10000 cuGraphGetEdges, 12030 cuGraphGetEdges_v2;
    cuGraphGetId: 13010 cuGraphGetId;
    cuGraphGetNodes: 10000 cuGraphGetNodes;
    cuGraphGetRootNodes: 10000 cuGraphGetRootNodes;
    cuGraphHostNodeGetParams: 10000 cuGraphHostNodeGetParams;
    cuGraphHostNodeSetParams: 10000 cuGraphHostNodeSetParams;
    cuGraphInstantiate: 10000 cuGraphInstantiate, 11000 cuGraphInstantiate_v2;
    cuGraphInstantiateWithFlags: 11040 cuGraphInstantiateWithFlags;
    cuGraphInstantiateWithParams:
        12000 cuGraphInstantiateWithParams
        / 12000 cuGraphInstantiateWithParams_ptsz;
    cuGraphKernelNodeCopyAttributes: 11000 cuGraphKernelNodeCopyAttributes;
    cuGraphKernelNodeGetAttribute: 11000 cuGraphKernelNodeGetAttribute;
    cuGraphKernelNodeGetParams: 10000 cuGraphKernelNodeGetParams, 12000 cuGraphKernelNodeGetParams_v2;
    cuGraphKernelNodeSetAttribute: 11000 cuGraphKernelNodeSetAttribute;
    cuGraphKernelNodeSetParams: 10000 cuGraphKernelNodeSetParams, 12000 cuGraphKernelNodeSetParams_v2;
    cuGraphLaunch: 10000 cuGraphLaunch / 10000 cuGraphLaunch_ptsz;
    cuGraphMemAllocNodeGetParams: 11040 cuGraphMemAllocNodeGetParams;
    cuGraphMemFreeNodeGetParams: 11040 cuGraphMemFreeNodeGetParams;
    cuGraphMemcpyNodeGetParams: 10000 cuGraphMemcpyNodeGetParams;
    cuGraphMemcpyNodeSetParams: 10000 cuGraphMemcpyNodeSetParams;
    cuGraphMemsetNodeGetParams: 10000 cuGraphMemsetNodeGetParams;
    cuGraphMemsetNodeSetParams: 10000 cuGraphMemsetNodeSetParams;
    cuGraphNodeFindInClone: 10000 cuGraphNodeFindInClone;
    cuGraphNodeGetContainingGraph: 13010 cuGraphNodeGetContainingGraph;
    cuGraphNodeGetDependencies: 10000 cuGraphNodeGetDependencies, 12030 cuGraphNodeGetDependencies_v2;
    cuGraphNodeGetDependentNodes: 10000 cuGraphNodeGetDependentNodes, 12030 cuGraphNodeGetDependentNodes_v2;
    cuGraphNodeGetEnabled: 11060 cuGraphNodeGetEnabled;
    cuGraphNodeGetLocalId: 13010 cuGraphNodeGetLocalId;
    cuGraphNodeGetParams: 13020 cuGraphNodeGetParams;
    cuGraphNodeGetToolsId: 13010 cuGraphNodeGetToolsId;
    cuGraphNodeGetType: 10000 cuGraphNodeGetType;
    cuGraphNodeSetEnabled: 11060 cuGraphNodeSetEnabled;
    cuGraphNodeSetParams: 12020 cuGraphNodeSetParams, 13040 cuGraphNodeSetParams_v2;
    cuGraphReleaseUserObject: 11030 cuGraphReleaseUserObject;
    cuGraphRemoveDependencies: 10000 cuGraphRemoveDependencies, 12030 cuGraphRemoveDependencies_v2;
    cuGraphRetainUserObject: 11030 cuGraphRetainUserObject;
    cuGraphUpload: 11010 cuGraphUpload / 11010 cuGraphUpload_ptsz;
    cuGraphicsEGLRegisterImage: 2000 cuGraphicsEGLRegisterImage;
    cuGraphicsGLRegisterBuffer: 2000 cuGraphicsGLRegisterBuffer;
    cuGraphicsGLRegisterImage: 2000 cuGraphicsGLRegisterImage;
    cuGraphicsMapResources: 3000 cuGraphicsMapResources / 7000 cuGraphicsMapResources_ptsz;
    cuGraphicsResourceGetMappedEglFrame: 2000 cuGraphicsResourceGetMappedEglFrame;
    cuGraphicsResourceGetMappedMipmappedArray: 5000 cuGraphicsResourceGetMappedMipmappedArray;
    cuGraphicsResourceGetMappedPointer:
        3000 cuGraphicsResourceGetMappedPointer, 3020 cuGraphicsResourceGetMappedPointer_v2;
    cuGraphicsResourceSetMapFlags: 3000 cuGraphicsResourceSetMapFlags, 6050 cuGraphicsResourceSetMapFlags_v2;
    cuGraphicsSubResourceGetMappedArray: 3000 cuGraphicsSubResourceGetMappedArray;
    cuGraphicsUnmapResources: 3000 cuGraphicsUnmapResources / 7000 cuGraphicsUnmapResources_ptsz;
    cuGraphicsUnregisterResource: 3000 cuGraphicsUnregisterResource;
    cuGraphicsVDPAURegisterOutputSurface: 2000 cuGraphicsVDPAURegisterOutputSurface;
    cuGraphicsVDPAURegisterVideoSurface: 2000 cuGraphicsVDPAURegisterVideoSurface;
    cuGreenCtxCreate: 12040 cuGreenCtxCreate;
    cuGreenCtxDestroy: 12040 cuGreenCtxDestroy;
    cuGreenCtxGetDevResource: 12040 cuGreenCtxGetDevResource;
    cuGreenCtxGetId: 12090 cuGreenCtxGetId;
    cuGreenCtxRecordEvent: 12040 cuGreenCtxRecordEvent;
    cuGreenCtxStreamCreate: 12050 cuGreenCtxStreamCreate;
    cuGreenCtxWaitEvent: 12040 cuGreenCtxWaitEvent;
    cuImportExternalMemory: 10000 cuImportExternalMemory;
    cuImportExternalSemaphore: 10000 cuImportExternalSemaphore;
    cuInit: 2000 cuInit;
    cuIpcCloseMemHandle: 4010 cuIpcCloseMemHandle;
    cuIpcGetEventHandle: 4010 cuIpcGetEventHandle;
    cuIpcGetMemHandle: 4010 cuIpcGetMemHandle;
    cuIpcOpenEventHandle: 4010 cuIpcOpenEventHandle;
    cuIpcOpenMemHandle: 4010 cuIpcOpenMemHandle, 11000 cuIpcOpenMemHandle_v2;
    cuKernelGetAttribute: 12000 cuKernelGetAttribute;
    cuKernelGetFunction: 12000 cuKernelGetFunction;
    cuKernelGetLibrary: 12050 cuKernelGetLibrary;
    cuKernelGetName: 12030 cuKernelGetName;
    cuKernelGetParamCount: 13020 cuKernelGetParamCount;
    cuKernelGetParamInfo: 12040 cuKernelGetParamInfo;
    cuKernelSetAttribute: 12000 cuKernelSetAttribute;
    cuKernelSetCacheConfig: 12000 cuKernelSetCacheConfig;
    cuLaunch: 2000 cuLaunch;
    cuLaunchCooperativeKernel: 9000 cuLaunchCooperativeKernel / 9000 cuLaunchCooperativeKernel_ptsz;
    cuLaunchCooperativeKernelMultiDevice: 9000 cuLaunchCooperativeKernelMultiDevice;
    cuLaunchGrid: 2000 cuLaunchGrid;
    cuLaunchGridAsync: 2000 cuLaunchGridAsync;
    cuLaunchHostFunc:
        10000 cuLaunchHostFunc, 13010 cuLaunchHostFunc_v2
        / 10000 cuLaunchHostFunc_ptsz, 13010 cuLaunchHostFunc_v2_ptsz;
    cuLaunchKernel: 4000 cuLaunchKernel / 7000 cuLaunchKernel_ptsz;
    cuLaunchKernelEx: 11060 cuLaunchKernelEx / 11060 cuLaunchKernelEx_ptsz;
    cuLibraryEnumerateKernels: 12040 cuLibraryEnumerateKernels;
    cuLibraryGetGlobal: 12000 cuLibraryGetGlobal;
    cuLibraryGetKernel: 12000 cuLibraryGetKernel;
    cuLibraryGetKernelCount: 12040 cuLibraryGetKernelCount;
    cuLibraryGetManaged: 12000 cuLibraryGetManaged;
    cuLibraryGetModule: 12000 cuLibraryGetModule;
    cuLibraryGetUnifiedFunction: 12000 cuLibraryGetUnifiedFunction;
    cuLibraryLoadData: 12000 cuLibraryLoadData;
    cuLibraryLoadFromFile: 12000 cuLibraryLoadFromFile;
    cuLibraryUnload: 12000 cuLibraryUnload;
    cuLinkAddData: 5050 cuLinkAddData, 6050 cuLinkAddData_v2;
    cuLinkAddFile: 5050 cuLinkAddFile, 6050 cuLinkAddFile_v2;
    cuLinkComplete: 5050 cuLinkComplete;
    cuLinkCreate: 5050 cuLinkCreate, 6050 cuLinkCreate_v2;
    cuLinkDestroy: 5050 cuLinkDestroy;
    cuLogicalEndpointAddDevice: 13030 cuLogicalEndpointAddDevice;
    cuLogicalEndpointBindAddr: 13030 cuLogicalEndpointBindAddr;
    cuLogicalEndpointBindMem: 13030 cuLogicalEndpointBindMem;
    cuLogicalEndpointCreate: 13030 cuLogicalEndpointCreate;
    cuLogicalEndpointDestroy: 13030 cuLogicalEndpointDestroy;
    cuLogicalEndpointExport: 13030 cuLogicalEndpointExport;
    cuLogicalEndpointGetLimits: 13030 cuLogicalEndpointGetLimits;
    cuLogicalEndpointIdRelease: 13030 cuLogicalEndpointIdRelease;
    cuLogicalEndpointIdReserve: 13030 cuLogicalEndpointIdReserve;
    cuLogicalEndpointImport: 13030 cuLogicalEndpointImport;
    cuLogicalEndpointQuery: 13030 cuLogicalEndpointQuery;
    cuLogicalEndpointUnbind: 13030 cuLogicalEndpointUnbind;
    cuLogsCurrent: 12090 cuLogsCurrent;
    cuLogsDumpToFile: 12090 cuLogsDumpToFile;
    cuLogsDumpToMemory: 12090 cuLogsDumpToMemory;
    cuLogsRegisterCallback: 12090 cuLogsRegisterCallback;
    cuLogsUnregisterCallback: 12090 cuLogsUnregisterCallback;
    cuMemAddressFree: 10020 cuMemAddressFree;
    cuMemAddressReserve: 10020 cuMemAddressReserve;
    cuMemAdvise: 8000 cuMemAdvise, 12020 cuMemAdvise_v2;
    cuMemAlloc: 2000 cuMemAlloc, 3020 cuMemAlloc_v2;
    cuMemAllocAsync: 11020 cuMemAllocAsync / 11020 cuMemAllocAsync_ptsz;
    cuMemAllocFromPoolAsync: 11020 cuMemAllocFromPoolAsync / 11020 cuMemAllocFromPoolAsync_ptsz;
    cuMemAllocHost: 2000 cuMemAllocHost, 3020 cuMemAllocHost_v2;
    cuMemAllocManaged: 6000 cuMemAllocManaged;
    cuMemAllocPitch: 2000 cuMemAllocPitch, 3020 cuMemAllocPitch_v2;
    cuMemBatchDecompressAsync: 12060 cuMemBatchDecompressAsync / 12060 cuMemBatchDecompressAsync_ptsz;
    cuMemCreate: 10020 cuMemCreate;
    cuMemDiscardAndPrefetchBatchAsync:
        13000 cuMemDiscardAndPrefetchBatchAsync
        / 13000 cuMemDiscardAndPrefetchBatchAsync_ptsz;
    cuMemDiscardBatchAsync: 13000 cuMemDiscardBatchAsync / 13000 cuMemDiscardBatchAsync_ptsz;
    cuMemExportToShareableHandle: 10020 cuMemExportToShareableHandle;
    cuMemFree: 2000 cuMemFree, 3020 cuMemFree_v2;
    cuMemFreeAsync: 11020 cuMemFreeAsync / 11020 cuMemFreeAsync_ptsz;
    cuMemFreeHost: 2000 cuMemFreeHost;
    cuMemGetAccess: 10020 cuMemGetAccess;
    cuMemGetAddressRange: 2000 cuMemGetAddressRange, 3020 cuMemGetAddressRange_v2;
    cuMemGetAllocationGranularity: 10020 cuMemGetAllocationGranularity;
    cuMemGetAllocationPropertiesFromHandle: 10020 cuMemGetAllocationPropertiesFromHandle;
    cuMemGetDefaultMemPool: 13000 cuMemGetDefaultMemPool;
    cuMemGetHandleForAddressRange: 11070 cuMemGetHandleForAddressRange;
    cuMemGetInfo: 2000 cuMemGetInfo, 3020 cuMemGetInfo_v2;
    cuMemGetLocationInfo: 13040 cuMemGetLocationInfo;
    cuMemGetMemPool: 13000 cuMemGetMemPool;
    cuMemHostAlloc: 2020 cuMemHostAlloc;
    cuMemHostGetDevicePointer: 2020 cuMemHostGetDevicePointer, 3020 cuMemHostGetDevicePointer_v2;
    cuMemHostGetFlags: 2030 cuMemHostGetFlags;
    cuMemHostRegister: 4000 cuMemHostRegister, 6050 cuMemHostRegister_v2;
    cuMemHostUnregister: 4000 cuMemHostUnregister;
    cuMemImportFromShareableHandle: 10020 cuMemImportFromShareableHandle;
    cuMemMap: 10020 cuMemMap;
    cuMemMapArrayAsync: 11010 cuMemMapArrayAsync / 11010 cuMemMapArrayAsync_ptsz;
    cuMemPoolCreate: 11020 cuMemPoolCreate;
    cuMemPoolDestroy: 11020 cuMemPoolDestroy;
    cuMemPoolExportPointer: 11020 cuMemPoolExportPointer;
    cuMemPoolExportToShareableHandle: 11020 cuMemPoolExportToShareableHandle;
    cuMemPoolGetAccess: 11020 cuMemPoolGetAccess;
    cuMemPoolGetAttribute: 11020 cuMemPoolGetAttribute;
    cuMemPoolImportFromShareableHandle: 11020 cuMemPoolImportFromShareableHandle;
    cuMemPoolImportPointer: 11020 cuMemPoolImportPointer;
    cuMemPoolSetAccess: 11020 cuMemPoolSetAccess;
    cuMemPoolSetAttribute: 11020 cuMemPoolSetAttribute;
    cuMemPoolTrimTo: 11020 cuMemPoolTrimTo;
    cuMemPrefetchAsync:
        8000 cuMemPrefetchAsync, 12020 cuMemPrefetchAsync_v2
        / 8000 cuMemPrefetchAsync_ptsz, 12020 cuMemPrefetchAsync_v2_ptsz;
    cuMemPrefetchBatchAsync: 13000 cuMemPrefetchBatchAsync / 13000 cuMemPrefetchBatchAsync_ptsz;
    cuMemRangeGetAttribute: 8000 cuMemRangeGetAttribute;
    cuMemRangeGetAttributes: 8000 cuMemRangeGetAttributes;
    cuMemRelease: 10020 cuMemRelease;
    cuMemRetainAllocationHandle: 11000 cuMemRetainAllocationHandle;
    cuMemSetAccess: 10020 cuMemSetAccess;
    cuMemSetMemPool: 13000 cuMemSetMemPool;
    cuMemUnmap: 10020 cuMemUnmap;
    cuMemcpy: 4000 cuMemcpy / 7000 cuMemcpy_ptds;
    cuMemcpy2D: 2000 cuMemcpy2D, 3020 cuMemcpy2D_v2 / 7000 cuMemcpy2D_v2_ptds;
    cuMemcpy2DAsync: 2000 cuMemcpy2DAsync, 3020 cuMemcpy2DAsync_v2 / 7000 cuMemcpy2DAsync_v2_ptsz;
    cuMemcpy2DUnaligned:
        2000 cuMemcpy2DUnaligned, 3020 cuMemcpy2DUnaligned_v2
        / 7000 cuMemcpy2DUnaligned_v2_ptds;
    cuMemcpy3D: 2000 cuMemcpy3D, 3020 cuMemcpy3D_v2 / 7000 cuMemcpy3D_v2_ptds;
    cuMemcpy3DAsync: 2000 cuMemcpy3DAsync, 3020 cuMemcpy3DAsync_v2 / 7000 cuMemcpy3DAsync_v2_ptsz;
    cuMemcpy3DBatchAsync:
        12080 cuMemcpy3DBatchAsync, 13000 cuMemcpy3DBatchAsync_v2
        / 12080 cuMemcpy3DBatchAsync_ptsz, 13000 cuMemcpy3DBatchAsync_v2_ptsz;
    cuMemcpy3DPeer: 4000 cuMemcpy3DPeer / 7000 cuMemcpy3DPeer_ptds;
    cuMemcpy3DPeerAsync: 4000 cuMemcpy3DPeerAsync / 7000 cuMemcpy3DPeerAsync_ptsz;
    cuMemcpy3DWithAttributesAsync:
        13020 cuMemcpy3DWithAttributesAsync
        / 13020 cuMemcpy3DWithAttributesAsync_ptsz;
    cuMemcpyAsync: 4000 cuMemcpyAsync / 7000 cuMemcpyAsync_ptsz;
    cuMemcpyAtoA: 2000 cuMemcpyAtoA, 3020 cuMemcpyAtoA_v2 / 7000 cuMemcpyAtoA_v2_ptds;
    cuMemcpyAtoD: 2000 cuMemcpyAtoD, 3020 cuMemcpyAtoD_v2 / 7000 cuMemcpyAtoD_v2_ptds;
    cuMemcpyAtoH: 2000 cuMemcpyAtoH, 3020 cuMemcpyAtoH_v2 / 7000 cuMemcpyAtoH_v2_ptds;
    cuMemcpyAtoHAsync: 2000 cuMemcpyAtoHAsync, 3020 cuMemcpyAtoHAsync_v2 / 7000 cuMemcpyAtoHAsync_v2_ptsz;
    cuMemcpyBatchAsync:
        12080 cuMemcpyBatchAsync, 13000 cuMemcpyBatchAsync_v2
        / 12080 cuMemcpyBatchAsync_ptsz, 13000 cuMemcpyBatchAsync_v2_ptsz;
    cuMemcpyDtoA: 2000 cuMemcpyDtoA, 3020 cuMemcpyDtoA_v2 / 7000 cuMemcpyDtoA_v2_ptds;
    cuMemcpyDtoD: 2000 cuMemcpyDtoD, 3020 cuMemcpyDtoD_v2 / 7000 cuMemcpyDtoD_v2_ptds;
    cuMemcpyDtoDAsync: 3000 cuMemcpyDtoDAsync, 3020 cuMemcpyDtoDAsync_v2 / 7000 cuMemcpyDtoDAsync_v2_ptsz;
    cuMemcpyDtoH: 2000 cuMemcpyDtoH, 3020 cuMemcpyDtoH_v2 / 7000 cuMemcpyDtoH_v2_ptds;
    cuMemcpyDtoHAsync: 2000 cuMemcpyDtoHAsync, 3020 cuMemcpyDtoHAsync_v2 / 7000 cuMemcpyDtoHAsync_v2_ptsz;
    cuMemcpyHtoA: 2000 cuMemcpyHtoA, 3020 cuMemcpyHtoA_v2 / 7000 cuMemcpyHtoA_v2_ptds;
    cuMemcpyHtoAAsync: 2000 cuMemcpyHtoAAsync, 3020 cuMemcpyHtoAAsync_v2 / 7000 cuMemcpyHtoAAsync_v2_ptsz;
    cuMemcpyHtoD: 2000 cuMemcpyHtoD, 3020 cuMemcpyHtoD_v2 / 7000 cuMemcpyHtoD_v2_ptds;
    cuMemcpyHtoDAsync: 2000 cuMemcpyHtoDAsync, 3020 cuMemcpyHtoDAsync_v2 / 7000 cuMemcpyHtoDAsync_v2_ptsz;
    cuMemcpyPeer: 4000 cuMemcpyPeer / 7000 cuMemcpyPeer_ptds;
    cuMemcpyPeerAsync: 4000 cuMemcpyPeerAsync / 7000 cuMemcpyPeerAsync_ptsz;
    cuMemcpyWithAttributesAsync: 13020 cuMemcpyWithAttributesAsync / 13020 cuMemcpyWithAttributesAsync_ptsz;
    cuMemsetD16: 2000 cuMemsetD16, 3020 cuMemsetD16_v2 / 7000 cuMemsetD16_v2_ptds;
    cuMemsetD16Async: 3020 cuMemsetD16Async / 7000 cuMemsetD16Async_ptsz;
    cuMemsetD2D16: 2000 cuMemsetD2D16, 3020 cuMemsetD2D16_v2 / 7000 cuMemsetD2D16_v2_ptds;
    cuMemsetD2D16Async: 3020 cuMemsetD2D16Async / 7000 cuMemsetD2D16Async_ptsz;
    cuMemsetD2D32: 2000 cuMemsetD2D32, 3020 cuMemsetD2D32_v2 / 7000 cuMemsetD2D32_v2_ptds;
    cuMemsetD2D32Async: 3020 cuMemsetD2D32Async / 7000 cuMemsetD2D32Async_ptsz;
    cuMemsetD2D8: 2000 cuMemsetD2D8, 3020 cuMemsetD2D8_v2 / 7000 cuMemsetD2D8_v2_ptds;
    cuMemsetD2D8Async: 3020 cuMemsetD2D8Async / 7000 cuMemsetD2D8Async_ptsz;
    cuMemsetD32: 2000 cuMemsetD32, 3020 cuMemsetD32_v2 / 7000 cuMemsetD32_v2_ptds;
    cuMemsetD32Async: 3020 cuMemsetD32Async / 7000 cuMemsetD32Async_ptsz;
    cuMemsetD8: 2000 cuMemsetD8, 3020 cuMemsetD8_v2 / 7000 cuMemsetD8_v2_ptds;
    cuMemsetD8Async: 3020 cuMemsetD8Async / 7000 cuMemsetD8Async_ptsz;
    cuMipmappedArrayCreate: 5000 cuMipmappedArrayCreate;
    cuMipmappedArrayDestroy: 5000 cuMipmappedArrayDestroy;
    cuMipmappedArrayGetLevel: 5000 cuMipmappedArrayGetLevel;
    cuMipmappedArrayGetMemoryRequirements: 11060 cuMipmappedArrayGetMemoryRequirements;
    cuMipmappedArrayGetSparseProperties: 11010 cuMipmappedArrayGetSparseProperties;
    cuModuleEnumerateFunctions: 12040 cuModuleEnumerateFunctions;
    cuModuleGetFunction: 2000 cuModuleGetFunction;
    cuModuleGetFunctionCount: 12040 cuModuleGetFunctionCount;
    cuModuleGetGlobal: 2000 cuModuleGetGlobal, 3020 cuModuleGetGlobal_v2;
    cuModuleGetLoadingMode: 11070 cuModuleGetLoadingMode;
    cuModuleGetSurfRef: 3000 cuModuleGetSurfRef;
    cuModuleGetTexRef: 2000 cuModuleGetTexRef;
    cuModuleLoad: 2000 cuModuleLoad;
    cuModuleLoadData: 2000 cuModuleLoadData;
    cuModuleLoadDataEx: 2010 cuModuleLoadDataEx;
    cuModuleLoadFatBinary: 2000 cuModuleLoadFatBinary;
    cuModuleUnload: 2000 cuModuleUnload;
    cuMulticastAddDevice: 12010 cuMulticastAddDevice;
    cuMulticastBindAddr: 12010 cuMulticastBindAddr, 13010 cuMulticastBindAddr_v2;
    cuMulticastBindMem: 12010 cuMulticastBindMem, 13010 cuMulticastBindMem_v2;
    cuMulticastCreate: 12010 cuMulticastCreate;
    cuMulticastGetGranularity: 12010 cuMulticastGetGranularity;
    cuMulticastUnbind: 12010 cuMulticastUnbind;
    cuOccupancyAvailableDynamicSMemPerBlock: 10020 cuOccupancyAvailableDynamicSMemPerBlock;
    cuOccupancyMaxActiveBlocksPerMultiprocessor: 6050 cuOccupancyMaxActiveBlocksPerMultiprocessor;
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags:
        7000 cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags;
    cuOccupancyMaxActiveClusters: 11070 cuOccupancyMaxActiveClusters;
    cuOccupancyMaxPotentialBlockSize: 6050 cuOccupancyMaxPotentialBlockSize;
    cuOccupancyMaxPotentialBlockSizeWithFlags: 7000 cuOccupancyMaxPotentialBlockSizeWithFlags;
    cuOccupancyMaxPotentialClusterSize: 11070 cuOccupancyMaxPotentialClusterSize;
    cuParamSetSize: 2000 cuParamSetSize;
    cuParamSetTexRef: 2000 cuParamSetTexRef;
    cuParamSetf: 2000 cuParamSetf;
    cuParamSeti: 2000 cuParamSeti;
    cuParamSetv: 2000 cuParamSetv;
    cuPointerGetAttribute: 4000 cuPointerGetAttribute;
    cuPointerGetAttributes: 7000 cuPointerGetAttributes;
    cuPointerSetAttribute: 6000 cuPointerSetAttribute;
    cuProfilerInitialize: 2000 cuProfilerInitialize;
    cuProfilerStart: 2000 cuProfilerStart;
    cuProfilerStop: 2000 cuProfilerStop;
    cuSignalExternalSemaphoresAsync:
        10000 cuSignalExternalSemaphoresAsync
        / 10000 cuSignalExternalSemaphoresAsync_ptsz;
    cuStreamAddCallback: 5000 cuStreamAddCallback / 7000 cuStreamAddCallback_ptsz;
    cuStreamAttachMemAsync: 6000 cuStreamAttachMemAsync / 7000 cuStreamAttachMemAsync_ptsz;
    cuStreamBatchMemOp:
        8000 cuStreamBatchMemOp, 11070 cuStreamBatchMemOp_v2
        / 8000 cuStreamBatchMemOp_ptsz, 11070 cuStreamBatchMemOp_v2_ptsz;
    cuStreamBeginCapture:
        10000 cuStreamBeginCapture, 10010 cuStreamBeginCapture_v2
        / 10000 cuStreamBeginCapture_ptsz, 10010 cuStreamBeginCapture_v2_ptsz;
    cuStreamBeginCaptureToCig: 13010 cuStreamBeginCaptureToCig / 13010 cuStreamBeginCaptureToCig_ptsz;
    cuStreamBeginCaptureToGraph: 12030 cuStreamBeginCaptureToGraph / 12030 cuStreamBeginCaptureToGraph_ptsz;
    cuStreamBeginRecaptureToGraph:
        13030 cuStreamBeginRecaptureToGraph
        / 13030 cuStreamBeginRecaptureToGraph_ptsz;
    cuStreamCopyAttributes: 11000 cuStreamCopyAttributes / 11000 cuStreamCopyAttributes_ptsz;
    cuStreamCreate: 2000 cuStreamCreate;
    cuStreamCreateWithPriority: 5050 cuStreamCreateWithPriority;
    cuStreamDestroy: 2000 cuStreamDestroy, 4000 cuStreamDestroy_v2;
    cuStreamEndCapture: 10000 cuStreamEndCapture / 10000 cuStreamEndCapture_ptsz;
    cuStreamEndCaptureToCig: 13010 cuStreamEndCaptureToCig / 13010 cuStreamEndCaptureToCig_ptsz;
    cuStreamGetAttribute: 11000 cuStreamGetAttribute / 11000 cuStreamGetAttribute_ptsz;
    cuStreamGetCaptureInfo:
        10010 cuStreamGetCaptureInfo, 11030 cuStreamGetCaptureInfo_v2, 12030 cuStreamGetCaptureInfo_v3
        / 10010 cuStreamGetCaptureInfo_ptsz, 11030 cuStreamGetCaptureInfo_v2_ptsz, 12030
        cuStreamGetCaptureInfo_v3_ptsz;
    cuStreamGetCtx:
        9020 cuStreamGetCtx, 12050 cuStreamGetCtx_v2
        / 9020 cuStreamGetCtx_ptsz, 12050 cuStreamGetCtx_v2_ptsz;
    cuStreamGetDevResource: 13010 cuStreamGetDevResource / 13010 cuStreamGetDevResource_ptsz;
    cuStreamGetDevice: 12080 cuStreamGetDevice / 12080 cuStreamGetDevice_ptsz;
    cuStreamGetFlags: 5050 cuStreamGetFlags / 7000 cuStreamGetFlags_ptsz;
    cuStreamGetGreenCtx: 12040 cuStreamGetGreenCtx;
    cuStreamGetId: 12000 cuStreamGetId / 12000 cuStreamGetId_ptsz;
    cuStreamGetPriority: 5050 cuStreamGetPriority / 7000 cuStreamGetPriority_ptsz;
    cuStreamIsCapturing: 10000 cuStreamIsCapturing / 10000 cuStreamIsCapturing_ptsz;
    cuStreamQuery: 2000 cuStreamQuery / 7000 cuStreamQuery_ptsz;
    cuStreamSetAttribute: 11000 cuStreamSetAttribute / 11000 cuStreamSetAttribute_ptsz;
    cuStreamSynchronize: 2000 cuStreamSynchronize / 7000 cuStreamSynchronize_ptsz;
    cuStreamUpdateCaptureDependencies:
        11030 cuStreamUpdateCaptureDependencies, 12030 cuStreamUpdateCaptureDependencies_v2
        / 11030 cuStreamUpdateCaptureDependencies_ptsz, 12030 cuStreamUpdateCaptureDependencies_v2_ptsz;
    cuStreamWaitEvent: 3020 cuStreamWaitEvent / 7000 cuStreamWaitEvent_ptsz;
    cuStreamWaitValue32:
        8000 cuStreamWaitValue32, 11070 cuStreamWaitValue32_v2
        / 8000 cuStreamWaitValue32_ptsz, 11070 cuStreamWaitValue32_v2_ptsz;
    cuStreamWaitValue64:
        9000 cuStreamWaitValue64, 11070 cuStreamWaitValue64_v2
        / 9000 cuStreamWaitValue64_ptsz, 11070 cuStreamWaitValue64_v2_ptsz;
    cuStreamWriteValue32:
        8000 cuStreamWriteValue32, 11070 cuStreamWriteValue32_v2
        / 8000 cuStreamWriteValue32_ptsz, 11070 cuStreamWriteValue32_v2_ptsz;
    cuStreamWriteValue64:
        9000 cuStreamWriteValue64, 11070 cuStreamWriteValue64_v2
        / 9000 cuStreamWriteValue64_ptsz, 11070 cuStreamWriteValue64_v2_ptsz;
    cuSurfObjectCreate: 5000 cuSurfObjectCreate;
    cuSurfObjectDestroy: 5000 cuSurfObjectDestroy;
    cuSurfObjectGetResourceDesc: 5000 cuSurfObjectGetResourceDesc;
    cuSurfRefGetArray: 3000 cuSurfRefGetArray;
    cuSurfRefSetArray: 3000 cuSurfRefSetArray;
    cuTensorMapEncodeIm2col: 12000 cuTensorMapEncodeIm2col;
    cuTensorMapEncodeIm2colWide: 12080 cuTensorMapEncodeIm2colWide;
    cuTensorMapEncodeTiled: 12000 cuTensorMapEncodeTiled;
    cuTensorMapReplaceAddress: 12000 cuTensorMapReplaceAddress;
    cuTensorMapSetAllocationClass: 13050 cuTensorMapSetAllocationClass;
    cuTexObjectCreate: 5000 cuTexObjectCreate;
    cuTexObjectDestroy: 5000 cuTexObjectDestroy;
    cuTexObjectGetResourceDesc: 5000 cuTexObjectGetResourceDesc;
    cuTexObjectGetResourceViewDesc: 5000 cuTexObjectGetResourceViewDesc;
    cuTexObjectGetTextureDesc: 5000 cuTexObjectGetTextureDesc;
    cuTexRefCreate: 2000 cuTexRefCreate;
    cuTexRefDestroy: 2000 cuTexRefDestroy;
    cuTexRefGetAddress: 2000 cuTexRefGetAddress, 3020 cuTexRefGetAddress_v2;
    cuTexRefGetAddressMode: 2000 cuTexRefGetAddressMode;
    cuTexRefGetArray: 2000 cuTexRefGetArray;
    cuTexRefGetBorderColor: 8000 cuTexRefGetBorderColor;
    cuTexRefGetFilterMode: 2000 cuTexRefGetFilterMode;
    cuTexRefGetFlags: 2000 cuTexRefGetFlags;
    cuTexRefGetFormat: 2000 cuTexRefGetFormat;
    cuTexRefGetMaxAnisotropy: 5000 cuTexRefGetMaxAnisotropy;
    cuTexRefGetMipmapFilterMode: 5000 cuTexRefGetMipmapFilterMode;
    cuTexRefGetMipmapLevelBias: 5000 cuTexRefGetMipmapLevelBias;
    cuTexRefGetMipmapLevelClamp: 5000 cuTexRefGetMipmapLevelClamp;
    cuTexRefGetMipmappedArray: 5000 cuTexRefGetMipmappedArray;
    cuTexRefSetAddress: 2000 cuTexRefSetAddress, 3020 cuTexRefSetAddress_v2;
    cuTexRefSetAddress2D:
        2020 cuTexRefSetAddress2D, 3020 cuTexRefSetAddress2D_v2, 4010 cuTexRefSetAddress2D_v3;
    cuTexRefSetAddressMode: 2000 cuTexRefSetAddressMode;
    cuTexRefSetArray: 2000 cuTexRefSetArray;
    cuTexRefSetBorderColor: 8000 cuTexRefSetBorderColor;
    cuTexRefSetFilterMode: 2000 cuTexRefSetFilterMode;
    cuTexRefSetFlags: 2000 cuTexRefSetFlags;
    cuTexRefSetFormat: 2000 cuTexRefSetFormat;
    cuTexRefSetMaxAnisotropy: 5000 cuTexRefSetMaxAnisotropy;
    cuTexRefSetMipmapFilterMode: 5000 cuTexRefSetMipmapFilterMode;
    cuTexRefSetMipmapLevelBias: 5000 cuTexRefSetMipmapLevelBias;
    cuTexRefSetMipmapLevelClamp: 5000 cuTexRefSetMipmapLevelClamp;
    cuTexRefSetMipmappedArray: 5000 cuTexRefSetMipmappedArray;
    cuThreadExchangeStreamCaptureMode: 10010 cuThreadExchangeStreamCaptureMode;
    cuUserObjectCreate: 11030 cuUserObjectCreate;
    cuUserObjectRelease: 11030 cuUserObjectRelease;
    cuUserObjectRetain: 11030 cuUserObjectRetain;
    cuVDPAUCtxCreate: 2000 cuVDPAUCtxCreate_v2;
    cuVDPAUGetDevice: 2000 cuVDPAUGetDevice;
    cuWaitExternalSemaphoresAsync:
        10000 cuWaitExternalSemaphoresAsync
        / 10000 cuWaitExternalSemaphoresAsync_ptsz;
}
