import { BillFault } from './fault'
import { AdminError } from '../operations/admin-error'

/** Reads exports of a vendor. @throws AdminError bill_unusable where they cannot be used */
export async function usableBill<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof BillFault)) throw thrown
    throw new AdminError('bill_unusable', { fault: thrown.code, message: thrown.message })
  }
}
