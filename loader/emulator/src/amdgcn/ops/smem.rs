//! Scalar memory operations: see [`super`] for how to read a row.

macro_rules! smem {
    ($next:ident $($then:ident)* ; $($before:tt)*) => { $next! { $($then)* ; $($before)*

    smem {
        s_load_b32                  = B32 <- B64 U32       @ 0x00 0x00 0x00 0x00 | s_load_dword gfx9 gfx10;
        s_load_b64                  = B64 <- B64 U32       @ 0x01 0x01 0x01 0x01 | s_load_dwordx2 gfx9 gfx10;
        s_load_b128                 = B128 <- B64 U32      @ 0x02 0x02 0x02 0x02 | s_load_dwordx4 gfx9 gfx10;
        s_load_b256                 = B256 <- B64 U32      @ 0x03 0x03 0x03 0x03 | s_load_dwordx8 gfx9 gfx10;
        s_load_b512                 = B512 <- B64 U32      @ 0x04 0x04 0x04 0x04 | s_load_dwordx16 gfx9 gfx10;
        s_buffer_load_b32           = B32 <- B128 U32      @ 0x08 0x08 0x08 0x08 | s_buffer_load_dword gfx9 gfx10;
        s_buffer_load_b64           = B64 <- B128 U32      @ 0x09 0x09 0x09 0x09 | s_buffer_load_dwordx2 gfx9 gfx10;
        s_buffer_load_b128          = B128 <- B128 U32     @ 0x0a 0x0a 0x0a 0x0a | s_buffer_load_dwordx4 gfx9 gfx10;
        s_buffer_load_b256          = B256 <- B128 U32     @ 0x0b 0x0b 0x0b 0x0b | s_buffer_load_dwordx8 gfx9 gfx10;
        s_buffer_load_b512          = B512 <- B128 U32     @ 0x0c 0x0c 0x0c 0x0c | s_buffer_load_dwordx16 gfx9 gfx10;
        s_gl1_inv                   = <-                   @ - - 0x1f 0x20;
        s_dcache_inv                = <-                   @ 0x20 0x20 0x20 0x21;
        s_atc_probe                 = <- Imm B64 U32       @ 0x26 0x26 0x26 0x22;
        s_atc_probe_buffer          = <- Imm B128 U32      @ 0x27 0x27 0x27 0x23;
        s_scratch_load_b32          = B32 <- B64 U32       @ 0x05 0x05 - -       | s_scratch_load_dword gfx9;
        s_scratch_load_b64          = B64 <- B64 U32       @ 0x06 0x06 - -       | s_scratch_load_dwordx2 gfx9;
        s_scratch_load_b128         = B128 <- B64 U32      @ 0x07 0x07 - -       | s_scratch_load_dwordx4 gfx9;
        s_store_b32                 = <- B64 U32 B32       @ 0x10 0x10 - -       | s_store_dword gfx9;
        s_store_b64                 = <- B64 U32 B64       @ 0x11 0x11 - -       | s_store_dwordx2 gfx9;
        s_store_b128                = <- B64 U32 B128      @ 0x12 0x12 - -       | s_store_dwordx4 gfx9;
        s_scratch_store_b32         = <- B64 U32 B32       @ 0x15 0x15 - -       | s_scratch_store_dword gfx9;
        s_scratch_store_b64         = <- B64 U32 B64       @ 0x16 0x16 - -       | s_scratch_store_dwordx2 gfx9;
        s_scratch_store_b128        = <- B64 U32 B128      @ 0x17 0x17 - -       | s_scratch_store_dwordx4 gfx9;
        s_buffer_store_b32          = <- B128 U32 B32      @ 0x18 0x18 - -       | s_buffer_store_dword gfx9;
        s_buffer_store_b64          = <- B128 U32 B64      @ 0x19 0x19 - -       | s_buffer_store_dwordx2 gfx9;
        s_buffer_store_b128         = <- B128 U32 B128     @ 0x1a 0x1a - -       | s_buffer_store_dwordx4 gfx9;
        s_dcache_wb                 = <-                   @ 0x21 0x21 - -;
        s_dcache_inv_vol            = <-                   @ 0x22 0x22 - -;
        s_dcache_wb_vol             = <-                   @ 0x23 0x23 - -;
        s_memtime                   = U64 <-               @ 0x24 0x24 0x24 -;
        s_memrealtime               = U64 <-               @ 0x25 0x25 0x25 -;
        s_dcache_discard            = <- B64 U32           @ 0x28 0x28 - -;
        s_dcache_discard_x2         = <- B64 U32           @ 0x29 0x29 - -;
        s_buffer_atomic_swap_b32    = B32 <- B128 U32 B32  @ 0x40 0x40 - -       | s_buffer_atomic_swap gfx9;
        s_buffer_atomic_cmpswap_b32 = B32 <- B128 U32 B64  @ 0x41 0x41 - -       | s_buffer_atomic_cmpswap gfx9;
        s_buffer_atomic_add_u32     = U32 <- B128 U32 U32  @ 0x42 0x42 - -       | s_buffer_atomic_add gfx9;
        s_buffer_atomic_sub_u32     = U32 <- B128 U32 U32  @ 0x43 0x43 - -       | s_buffer_atomic_sub gfx9;
        s_buffer_atomic_min_i32     = I32 <- B128 U32 I32  @ 0x44 0x44 - -       | s_buffer_atomic_smin gfx9;
        s_buffer_atomic_min_u32     = U32 <- B128 U32 U32  @ 0x45 0x45 - -       | s_buffer_atomic_umin gfx9;
        s_buffer_atomic_max_i32     = I32 <- B128 U32 I32  @ 0x46 0x46 - -       | s_buffer_atomic_smax gfx9;
        s_buffer_atomic_max_u32     = U32 <- B128 U32 U32  @ 0x47 0x47 - -       | s_buffer_atomic_umax gfx9;
        s_buffer_atomic_and_b32     = B32 <- B128 U32 B32  @ 0x48 0x48 - -       | s_buffer_atomic_and gfx9;
        s_buffer_atomic_or_b32      = B32 <- B128 U32 B32  @ 0x49 0x49 - -       | s_buffer_atomic_or gfx9;
        s_buffer_atomic_xor_b32     = B32 <- B128 U32 B32  @ 0x4a 0x4a - -       | s_buffer_atomic_xor gfx9;
        s_buffer_atomic_inc_u32     = U32 <- B128 U32 U32  @ 0x4b 0x4b - -       | s_buffer_atomic_inc gfx9;
        s_buffer_atomic_dec_u32     = U32 <- B128 U32 U32  @ 0x4c 0x4c - -       | s_buffer_atomic_dec gfx9;
        s_buffer_atomic_swap_b64    = B64 <- B128 U32 B64  @ 0x60 0x60 - -       | s_buffer_atomic_swap_x2 gfx9;
        s_buffer_atomic_cmpswap_b64 = B64 <- B128 U32 B128 @ 0x61 0x61 - -       | s_buffer_atomic_cmpswap_x2 gfx9;
        s_buffer_atomic_add_u64     = U64 <- B128 U32 U64  @ 0x62 0x62 - -       | s_buffer_atomic_add_x2 gfx9;
        s_buffer_atomic_sub_u64     = U64 <- B128 U32 U64  @ 0x63 0x63 - -       | s_buffer_atomic_sub_x2 gfx9;
        s_buffer_atomic_min_i64     = I64 <- B128 U32 I64  @ 0x64 0x64 - -       | s_buffer_atomic_smin_x2 gfx9;
        s_buffer_atomic_min_u64     = U64 <- B128 U32 U64  @ 0x65 0x65 - -       | s_buffer_atomic_umin_x2 gfx9;
        s_buffer_atomic_max_i64     = I64 <- B128 U32 I64  @ 0x66 0x66 - -       | s_buffer_atomic_smax_x2 gfx9;
        s_buffer_atomic_max_u64     = U64 <- B128 U32 U64  @ 0x67 0x67 - -       | s_buffer_atomic_umax_x2 gfx9;
        s_buffer_atomic_and_b64     = B64 <- B128 U32 B64  @ 0x68 0x68 - -       | s_buffer_atomic_and_x2 gfx9;
        s_buffer_atomic_or_b64      = B64 <- B128 U32 B64  @ 0x69 0x69 - -       | s_buffer_atomic_or_x2 gfx9;
        s_buffer_atomic_xor_b64     = B64 <- B128 U32 B64  @ 0x6a 0x6a - -       | s_buffer_atomic_xor_x2 gfx9;
        s_buffer_atomic_inc_u64     = U64 <- B128 U32 U64  @ 0x6b 0x6b - -       | s_buffer_atomic_inc_x2 gfx9;
        s_buffer_atomic_dec_u64     = U64 <- B128 U32 U64  @ 0x6c 0x6c - -       | s_buffer_atomic_dec_x2 gfx9;
        s_atomic_swap_b32           = B32 <- B64 U32 B32   @ 0x80 0x80 - -       | s_atomic_swap gfx9;
        s_atomic_cmpswap_b32        = B32 <- B64 U32 B64   @ 0x81 0x81 - -       | s_atomic_cmpswap gfx9;
        s_atomic_add_u32            = U32 <- B64 U32 U32   @ 0x82 0x82 - -       | s_atomic_add gfx9;
        s_atomic_sub_u32            = U32 <- B64 U32 U32   @ 0x83 0x83 - -       | s_atomic_sub gfx9;
        s_atomic_min_i32            = I32 <- B64 U32 I32   @ 0x84 0x84 - -       | s_atomic_smin gfx9;
        s_atomic_min_u32            = U32 <- B64 U32 U32   @ 0x85 0x85 - -       | s_atomic_umin gfx9;
        s_atomic_max_i32            = I32 <- B64 U32 I32   @ 0x86 0x86 - -       | s_atomic_smax gfx9;
        s_atomic_max_u32            = U32 <- B64 U32 U32   @ 0x87 0x87 - -       | s_atomic_umax gfx9;
        s_atomic_and_b32            = B32 <- B64 U32 B32   @ 0x88 0x88 - -       | s_atomic_and gfx9;
        s_atomic_or_b32             = B32 <- B64 U32 B32   @ 0x89 0x89 - -       | s_atomic_or gfx9;
        s_atomic_xor_b32            = B32 <- B64 U32 B32   @ 0x8a 0x8a - -       | s_atomic_xor gfx9;
        s_atomic_inc_u32            = U32 <- B64 U32 U32   @ 0x8b 0x8b - -       | s_atomic_inc gfx9;
        s_atomic_dec_u32            = U32 <- B64 U32 U32   @ 0x8c 0x8c - -       | s_atomic_dec gfx9;
        s_atomic_swap_b64           = B64 <- B64 U32 B64   @ 0xa0 0xa0 - -       | s_atomic_swap_x2 gfx9;
        s_atomic_cmpswap_b64        = B64 <- B64 U32 B128  @ 0xa1 0xa1 - -       | s_atomic_cmpswap_x2 gfx9;
        s_atomic_add_u64            = U64 <- B64 U32 U64   @ 0xa2 0xa2 - -       | s_atomic_add_x2 gfx9;
        s_atomic_sub_u64            = U64 <- B64 U32 U64   @ 0xa3 0xa3 - -       | s_atomic_sub_x2 gfx9;
        s_atomic_min_i64            = I64 <- B64 U32 I64   @ 0xa4 0xa4 - -       | s_atomic_smin_x2 gfx9;
        s_atomic_min_u64            = U64 <- B64 U32 U64   @ 0xa5 0xa5 - -       | s_atomic_umin_x2 gfx9;
        s_atomic_max_i64            = I64 <- B64 U32 I64   @ 0xa6 0xa6 - -       | s_atomic_smax_x2 gfx9;
        s_atomic_max_u64            = U64 <- B64 U32 U64   @ 0xa7 0xa7 - -       | s_atomic_umax_x2 gfx9;
        s_atomic_and_b64            = B64 <- B64 U32 B64   @ 0xa8 0xa8 - -       | s_atomic_and_x2 gfx9;
        s_atomic_or_b64             = B64 <- B64 U32 B64   @ 0xa9 0xa9 - -       | s_atomic_or_x2 gfx9;
        s_atomic_xor_b64            = B64 <- B64 U32 B64   @ 0xaa 0xaa - -       | s_atomic_xor_x2 gfx9;
        s_atomic_inc_u64            = U64 <- B64 U32 U64   @ 0xab 0xab - -       | s_atomic_inc_x2 gfx9;
        s_atomic_dec_u64            = U64 <- B64 U32 U64   @ 0xac 0xac - -       | s_atomic_dec_x2 gfx9;
    }

    } };
}
pub(super) use smem;
