/** Address of a vendor's page in the console. */
export const vendorPath = (name: string): string => `/operator/vendors/${encodeURIComponent(name)}`
