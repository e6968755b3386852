/** Vendors and their bills: pages that come together, since they share most of their parts. */
export { BillCheck } from '../bills/bill-check'
export { VendorList } from '../vendors/vendor-list'
export { VendorPage } from '../vendors/vendor-page'
