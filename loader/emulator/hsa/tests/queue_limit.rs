//! How many queues a GPU has, and what is left of one that was destroyed. In a process of its own, as it takes them all.

use hsa_sys::*;

mod common;

use common::{Running, check};

#[test]
fn a_destroyed_queue_is_none_and_makes_room() {
    let run = Running::new();
    let mut most = 0u32;
    // SAFETY: the attribute is a u32.
    check(unsafe {
        run.0
            .hsa_agent_get_info(run.gpu(), HSA_AGENT_INFO_QUEUES_MAX, (&raw mut most).cast())
    });
    let create = || {
        let (mut queue, null) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: `queue` is a place for the answer.
        let status = unsafe {
            run.0
                .hsa_queue_create(run.gpu(), 64, HSA_QUEUE_TYPE_MULTI, None, null, 0, 0, &mut queue)
        };
        (status, queue)
    };
    let queues: Vec<_> = (0..most).map(|_| create()).collect();
    assert!(queues.iter().all(|(status, _)| *status == HSA_STATUS_SUCCESS));
    assert_eq!(create().0, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    let (_, gone) = queues[0];
    // SAFETY: nobody uses the queue; later, the emulated runtime looks up what it is given, and no other was made there.
    unsafe {
        check(run.0.hsa_queue_destroy(gone));
        assert_eq!(run.0.hsa_queue_destroy(gone), HSA_STATUS_ERROR_INVALID_QUEUE);
        assert_eq!(run.0.hsa_queue_inactivate(gone), HSA_STATUS_ERROR_INVALID_QUEUE);
        assert_eq!(run.0.hsa_queue_add_write_index_relaxed(gone, 1), 0);
    }
    check(create().0);
}
