import type { AddressSlot } from '../../src/gateway/limits/address-slots'

/** Of requests that nobody counts. */
export const uncountedSlot: AddressSlot = { check() {}, retain() {}, release() {} }
