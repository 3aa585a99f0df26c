//! Vector memory operations: see [`super`] for how to read a row. Mnemonics lack the prefix, which
//! is the segment: `flat_`, `global_`, `scratch_` or `buffer_`.

macro_rules! memory {
    ($next:ident $($then:ident)* ; $($before:tt)*) => { $next! { $($then)* ; $($before)*

    any_segment {
        load_u8          = U32 <-  @ 0x10 0x10 0x08 0x10 | load_ubyte gfx9 gfx10;
        load_i8          = I32 <-  @ 0x11 0x11 0x09 0x11 | load_sbyte gfx9 gfx10;
        load_u16         = U32 <-  @ 0x12 0x12 0x0a 0x12 | load_ushort gfx9 gfx10;
        load_i16         = I32 <-  @ 0x13 0x13 0x0b 0x13 | load_sshort gfx9 gfx10;
        load_b32         = B32 <-  @ 0x14 0x14 0x0c 0x14 | load_dword gfx9 gfx10;
        load_b64         = B64 <-  @ 0x15 0x15 0x0d 0x15 | load_dwordx2 gfx9 gfx10;
        load_b96         = B96 <-  @ 0x16 0x16 0x0f 0x16 | load_dwordx3 gfx9 gfx10;
        load_b128        = B128 <- @ 0x17 0x17 0x0e 0x17 | load_dwordx4 gfx9 gfx10;
        store_b8         = <- B32  @ 0x18 0x18 0x18 0x18 | store_byte gfx9 gfx10;
        store_b16        = <- B32  @ 0x1a 0x1a 0x1a 0x19 | store_short gfx9 gfx10;
        store_b32        = <- B32  @ 0x1c 0x1c 0x1c 0x1a | store_dword gfx9 gfx10;
        store_b64        = <- B64  @ 0x1d 0x1d 0x1d 0x1b | store_dwordx2 gfx9 gfx10;
        store_b96        = <- B96  @ 0x1e 0x1e 0x1f 0x1c | store_dwordx3 gfx9 gfx10;
        store_b128       = <- B128 @ 0x1f 0x1f 0x1e 0x1d | store_dwordx4 gfx9 gfx10;
        load_d16_u8      = B32 <-  @ 0x20 0x20 0x20 0x1e | load_ubyte_d16 gfx9 gfx10;
        load_d16_i8      = B32 <-  @ 0x22 0x22 0x22 0x1f | load_sbyte_d16 gfx9 gfx10;
        load_d16_b16     = B32 <-  @ 0x24 0x24 0x24 0x20 | load_short_d16 gfx9 gfx10;
        load_d16_hi_u8   = B32 <-  @ 0x21 0x21 0x21 0x21 | load_ubyte_d16_hi gfx9 gfx10;
        load_d16_hi_i8   = B32 <-  @ 0x23 0x23 0x23 0x22 | load_sbyte_d16_hi gfx9 gfx10;
        load_d16_hi_b16  = B32 <-  @ 0x25 0x25 0x25 0x23 | load_short_d16_hi gfx9 gfx10;
        store_d16_hi_b8  = <- B32  @ 0x19 0x19 0x19 0x24 | store_byte_d16_hi gfx9 gfx10;
        store_d16_hi_b16 = <- B32  @ 0x1b 0x1b 0x1b 0x25 | store_short_d16_hi gfx9 gfx10;
    }

    flat_global_buffer {
        atomic_swap_b32    = B32 <- B32     @ 0x40 0x40 0x30 0x33 | atomic_swap gfx9 gfx10;
        atomic_cmpswap_b32 = B32 <- B64     @ 0x41 0x41 0x31 0x34 | atomic_cmpswap gfx9 gfx10;
        atomic_add_u32     = U32 <- U32     @ 0x42 0x42 0x32 0x35 | atomic_add gfx9 gfx10;
        atomic_sub_u32     = U32 <- U32     @ 0x43 0x43 0x33 0x36 | atomic_sub gfx9 gfx10;
        atomic_min_i32     = I32 <- I32     @ 0x44 0x44 0x35 0x38 | atomic_smin gfx9 gfx10;
        atomic_min_u32     = U32 <- U32     @ 0x45 0x45 0x36 0x39 | atomic_umin gfx9 gfx10;
        atomic_max_i32     = I32 <- I32     @ 0x46 0x46 0x37 0x3a | atomic_smax gfx9 gfx10;
        atomic_max_u32     = U32 <- U32     @ 0x47 0x47 0x38 0x3b | atomic_umax gfx9 gfx10;
        atomic_and_b32     = B32 <- B32     @ 0x48 0x48 0x39 0x3c | atomic_and gfx9 gfx10;
        atomic_or_b32      = B32 <- B32     @ 0x49 0x49 0x3a 0x3d | atomic_or gfx9 gfx10;
        atomic_xor_b32     = B32 <- B32     @ 0x4a 0x4a 0x3b 0x3e | atomic_xor gfx9 gfx10;
        atomic_inc_u32     = U32 <- U32     @ 0x4b 0x4b 0x3c 0x3f | atomic_inc gfx9 gfx10;
        atomic_dec_u32     = U32 <- U32     @ 0x4c 0x4c 0x3d 0x40 | atomic_dec gfx9 gfx10;
        atomic_swap_b64    = B64 <- B64     @ 0x60 0x60 0x50 0x41 | atomic_swap_x2 gfx9 gfx10;
        atomic_cmpswap_b64 = B64 <- B128    @ 0x61 0x61 0x51 0x42 | atomic_cmpswap_x2 gfx9 gfx10;
        atomic_add_u64     = U64 <- U64     @ 0x62 0x62 0x52 0x43 | atomic_add_x2 gfx9 gfx10;
        atomic_sub_u64     = U64 <- U64     @ 0x63 0x63 0x53 0x44 | atomic_sub_x2 gfx9 gfx10;
        atomic_min_i64     = I64 <- I64     @ 0x64 0x64 0x55 0x45 | atomic_smin_x2 gfx9 gfx10;
        atomic_min_u64     = U64 <- U64     @ 0x65 0x65 0x56 0x46 | atomic_umin_x2 gfx9 gfx10;
        atomic_max_i64     = I64 <- I64     @ 0x66 0x66 0x57 0x47 | atomic_smax_x2 gfx9 gfx10;
        atomic_max_u64     = U64 <- U64     @ 0x67 0x67 0x58 0x48 | atomic_umax_x2 gfx9 gfx10;
        atomic_and_b64     = B64 <- B64     @ 0x68 0x68 0x59 0x49 | atomic_and_x2 gfx9 gfx10;
        atomic_or_b64      = B64 <- B64     @ 0x69 0x69 0x5a 0x4a | atomic_or_x2 gfx9 gfx10;
        atomic_xor_b64     = B64 <- B64     @ 0x6a 0x6a 0x5b 0x4b | atomic_xor_x2 gfx9 gfx10;
        atomic_inc_u64     = U64 <- U64     @ 0x6b 0x6b 0x5c 0x4c | atomic_inc_x2 gfx9 gfx10;
        atomic_dec_u64     = U64 <- U64     @ 0x6c 0x6c 0x5d 0x4d | atomic_dec_x2 gfx9 gfx10;
        atomic_cmpswap_f32 = F32 <- B64     @ - - 0x3e 0x50       | atomic_fcmpswap gfx10;
        atomic_min_f32     = F32 <- F32     @ - - 0x3f 0x51       | atomic_fmin gfx10;
        atomic_max_f32     = F32 <- F32     @ - - 0x40 0x52       | atomic_fmax gfx10;
        atomic_add_f32     = F32 <- F32     @ 0x4d 0x4d - 0x56;
        atomic_pk_add_f16  = PkF16 <- PkF16 @ 0x4e 0x4e - -;
        atomic_add_f64     = F64 <- F64     @ 0x4f 0x4f - -;
        atomic_min_f64     = F64 <- F64     @ 0x50 0x50 0x5f -    | atomic_fmin_x2 gfx10;
        atomic_max_f64     = F64 <- F64     @ 0x51 0x51 0x60 -    | atomic_fmax_x2 gfx10;
        atomic_cmpswap_f64 = F64 <- B128    @ - - 0x5e -          | atomic_fcmpswap_x2 gfx10;
    }

    flat_global {
        atomic_pk_add_bf16 = PkBf16 <- PkBf16 @ - 0x52 - -;
    }

    global_buffer {
        atomic_csub_u32 = U32 <- U32 @ - - 0x34 0x37 | atomic_csub gfx10;
    }

    global_scratch {
        load_lds_u8  = <- @ - 0x26 - - | load_lds_ubyte gfx9;
        load_lds_i8  = <- @ - 0x27 - - | load_lds_sbyte gfx9;
        load_lds_u16 = <- @ - 0x28 - - | load_lds_ushort gfx9;
        load_lds_i16 = <- @ - 0x29 - - | load_lds_sshort gfx9;
        load_lds_b32 = <- @ - 0x2a - - | load_lds_dword gfx9;
    }

    global {
        load_addtid_b32  = B32 <- @ - - 0x16 0x28 | load_dword_addtid gfx10;
        store_addtid_b32 = <- B32 @ - - 0x17 0x29 | store_dword_addtid gfx10;
    }

    buffer {
        load_format_x         = B32 <-  @ 0x00 0x00 0x00 0x00;
        load_format_xy        = B64 <-  @ 0x01 0x01 0x01 0x01;
        load_format_xyz       = B96 <-  @ 0x02 0x02 0x02 0x02;
        load_format_xyzw      = B128 <- @ 0x03 0x03 0x03 0x03;
        store_format_x        = <- B32  @ 0x04 0x04 0x04 0x04;
        store_format_xy       = <- B64  @ 0x05 0x05 0x05 0x05;
        store_format_xyz      = <- B96  @ 0x06 0x06 0x06 0x06;
        store_format_xyzw     = <- B128 @ 0x07 0x07 0x07 0x07;
        load_d16_format_x     = B32 <-  @ 0x08 0x08 0x80 0x08 | load_format_d16_x gfx9 gfx10;
        load_d16_format_xy    = B32 <-  @ 0x09 0x09 0x81 0x09 | load_format_d16_xy gfx9 gfx10;
        load_d16_format_xyz   = B64 <-  @ 0x0a 0x0a 0x82 0x0a | load_format_d16_xyz gfx9 gfx10;
        load_d16_format_xyzw  = B64 <-  @ 0x0b 0x0b 0x83 0x0b | load_format_d16_xyzw gfx9 gfx10;
        store_d16_format_x    = <- B32  @ 0x0c 0x0c 0x84 0x0c | store_format_d16_x gfx9 gfx10;
        store_d16_format_xy   = <- B32  @ 0x0d 0x0d 0x85 0x0d | store_format_d16_xy gfx9 gfx10;
        store_d16_format_xyz  = <- B64  @ 0x0e 0x0e 0x86 0x0e | store_format_d16_xyz gfx9 gfx10;
        store_d16_format_xyzw = <- B64  @ 0x0f 0x0f 0x87 0x0f | store_format_d16_xyzw gfx9 gfx10;
        load_d16_hi_format_x  = B32 <-  @ 0x26 0x26 0x26 0x26 | load_format_d16_hi_x gfx9 gfx10;
        store_d16_hi_format_x = <- B32  @ 0x27 0x27 0x27 0x27 | store_format_d16_hi_x gfx9 gfx10;
        gl0_inv               = <-      @ - - 0x71 0x2b;
        gl1_inv               = <-      @ - - 0x72 0x2c;
        wbl2                  = <-      @ 0x28 0x28 - -;
        invl2                 = <-      @ 0x29 - - -;
        wbinvl1               = <-      @ 0x3e - - -;
        wbinvl1_vol           = <-      @ 0x3f - - -;
        inv                   = <-      @ - 0x29 - -;
    }

    } };
}
pub(super) use memory;
