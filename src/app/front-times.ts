/** Interval of a front's heartbeat. */
export const beatMs = 1000
/** A front that says nothing for so long is frozen, and is ended: its calls wait for it until then. */
export const silentMs = 20_000
/** Grace period in which fronts go on without an owner, and an owner waits for those of an earlier one. */
export const fenceMs = 10_000
