# find_package(RpcServer) gives the targets RpcServer::rpc_server, which is shared, and RpcServer::rpc_server_static.
get_filename_component(RpcServer_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
find_package(Threads REQUIRED)

if(NOT TARGET RpcServer::rpc_server)
  add_library(RpcServer::rpc_server SHARED IMPORTED)
  set_target_properties(RpcServer::rpc_server PROPERTIES
    IMPORTED_LOCATION "${RpcServer_PREFIX}/lib/librpc_server.so.0"
    IMPORTED_SONAME "librpc_server.so.0"
    INTERFACE_INCLUDE_DIRECTORIES "${RpcServer_PREFIX}/include")

  add_library(RpcServer::rpc_server_static STATIC IMPORTED)
  set_target_properties(RpcServer::rpc_server_static PROPERTIES
    IMPORTED_LOCATION "${RpcServer_PREFIX}/lib/librpc_server.a"
    INTERFACE_INCLUDE_DIRECTORIES "${RpcServer_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
endif()
