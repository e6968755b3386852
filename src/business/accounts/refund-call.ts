import type { NanoUsd } from '../../domain/money'
import type { RecordedCall, Reports } from '../../domain/reports/report'
import type { VideoJob } from '../../domain/video-job'
import type { RequestId } from '../../domain/ids'
import type { RefundStore } from '../../ledger/refund-store'
import { AdminError } from '../operations/admin-error'
import { callIn } from '../usage/call-view'
import { withinAllowance } from '../operators/staff-bounds'

interface RefundParts {
  readonly reports: Pick<Reports, 'call'>
  readonly videos: { openOf(request: RequestId): Promise<VideoJob | null> }
  readonly refunds: RefundStore
}

/** A refund that an operator asks for. */
interface RefundRequest {
  readonly id: string
  /** Null: everything that was charged. */
  readonly amount: NanoUsd | null
  /** Why, in the operator's words. */
  readonly note: string | null
  /** Whether the account's people read it (default: no). */
  readonly told?: boolean
  /** Operator who asks for it. */
  readonly by: string
}

export interface RefundedCall {
  /** As it was before. */
  readonly call: RecordedCall
  readonly refunded: NanoUsd
  /** Part of it that goes to the service, which bore as much of the charge; mostly nothing. */
  readonly borne: NanoUsd
  /** Of the account, afterwards. */
  readonly balance: NanoUsd
}

/**
 * Gives back what a call was charged, whole or in part, once: to the account no more than it paid.
 * @throws AdminError call_not_found | call_running | nothing_charged | refunded_before |
 *   refund_too_large | video_open, and those of `withinAllowance`
 */
export async function refundCall(
  { reports, videos, refunds }: RefundParts,
  { id, amount, note, told = false, by }: RefundRequest,
): Promise<RefundedCall> {
  const call = await callIn(reports, id)
  const { id: request, cost: charged } = call
  if (call.status === 'pending') throw new AdminError('call_running', { request })
  if (charged === 0) throw new AdminError('nothing_charged', { request })
  const open = await videos.openOf(request)
  // Its own refund, should it fail, would find the call refunded.
  if (open !== null) throw new AdminError('video_open', { request, video: open.id })
  const asked = amount ?? charged
  if (asked > charged) throw new AdminError('refund_too_large', { request, asked, charged })
  const { account, project, key, model, created: opened } = call
  const place = { request, account, project, key, model, opened }
  const { balance, earlier, borne } = await withinAllowance(() =>
    refunds.refund({ ...place, amount: asked, note, told, by }),
  )
  if (earlier !== null) throw new AdminError('refunded_before', { request, refunded: earlier })
  return { call, refunded: asked, borne, balance }
}
