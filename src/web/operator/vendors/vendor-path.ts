/** Where a vendor has its page. */
export const vendorPath = (name: string): string => `/operator/vendors/${encodeURIComponent(name)}`
