import { trialOf, type VendorTrial } from '../../admin/vendor-trial'
import type { VendorConfig } from '../../domain/model'
import { getJson } from '../../outbound/get-json'

/** Free calls of this command to a vendor. */
export const testVendor = (vendor: VendorConfig): Promise<VendorTrial> => trialOf(getJson, vendor)
