import type { VideoOutcome } from '../../endpoints/videos/store'
import type { Connection } from './database'

/** Writes what came of asking a vendor for a video, inside of the transaction of its charge. */
export function openVideoOutcomes({ raw }: Connection): (row: object) => void {
  const refuse = raw.prepare(`DELETE FROM video_jobs WHERE id = ? AND status = 'creating'`)
  const accept = raw.prepare(`
    UPDATE video_jobs SET status = ?, progress = ?, cost = ?, vendor = ?, vendor_model = ?,
      vendor_job = ?, vendor_credential = ?, due = ? WHERE id = ? AND status = 'creating'`)

  return (row) => {
    const { id, accepted, due } = row as VideoOutcome
    if (accepted === null) return void refuse.run(id)
    const { status, progress, cost, vendor, vendorModel, vendorJob, vendorCredential } = accepted
    const maker = [vendor, vendorModel, vendorJob, vendorCredential] as const
    const written = accept.run(status, progress, cost, ...maker, due ?? accepted.created, id)
    // A charge without its job must not be.
    if (written.changes !== 1) throw new Error(`no video ${id} is being created`)
  }
}
