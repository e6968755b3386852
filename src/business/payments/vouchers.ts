import type { Clock, Ms } from '../../domain/clock'
import type { NanoUsd } from '../../domain/money'
import { freshRedeemCode, redeemEnding, type RedeemCode, type RedeemCodeStore } from './voucher'
import type { RedeemCodeId } from '../../domain/ids'
import { AdminError } from '../operations/admin-error'
import { withinAllowance } from '../operators/staff-bounds'

const maxCodes = 10_000

interface RedeemCodesOrder {
  readonly amount: NanoUsd
  readonly count: number
  /** Name of the batch; null: one is made. */
  readonly batch: string | null
  readonly expires: Ms | null
  readonly by: string
}

/** A code that was just made. */
interface FreshRedeemCode extends RedeemCode {
  /** Told once: nobody can read it again. */
  readonly code: string
}

interface RedeemCodeParts {
  readonly store: RedeemCodeStore
  readonly clock: Clock
  hashOf(code: string): string
}

/**
 * Makes codes that are worth money once.
 * @throws AdminError redeem_codes_count | redeem_amount_missing | redeem_expiry_past, and those of
 *   `withinAllowance`
 */
export async function createRedeemCodes(
  { store, clock, hashOf }: RedeemCodeParts,
  { amount, count, batch, expires, by }: RedeemCodesOrder,
): Promise<readonly FreshRedeemCode[]> {
  if (amount <= 0) throw new AdminError('redeem_amount_missing', {})
  if (count < 1 || count > maxCodes) throw new AdminError('redeem_codes_count', { max: maxCodes })
  const now = clock.now()
  if (expires !== null && expires <= now) throw new AdminError('redeem_expiry_past', {})
  const codes = Array.from({ length: count }, freshRedeemCode)
  const kept = await withinAllowance(() =>
    store.create({
      batch: batch ?? new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, ''),
      amount,
      expires,
      by,
      codes: codes.map((code) => ({ hash: hashOf(code), ending: redeemEnding(code) })),
    }),
  )
  return kept.map((each, at) => ({ ...each, code: codes[at] ?? '' }))
}

/**
 * Ends codes that nobody has redeemed.
 * @returns how many
 * @throws AdminError redeem_code_not_found | redeem_code_ended
 */
export async function revokeRedeemCodes(
  store: Pick<RedeemCodeStore, 'find' | 'revoke' | 'list'>,
  which: { readonly id: RedeemCodeId } | { readonly batch: string },
): Promise<number> {
  const revoked = await store.revoke(which)
  if (revoked > 0) return revoked
  const isKnown =
    'id' in which
      ? (await store.find(which.id)) !== null
      : (await store.list({ batch: which.batch, before: null, max: 1 })).length > 0
  const name = 'id' in which ? String(which.id) : which.batch
  throw new AdminError(isKnown ? 'redeem_code_ended' : 'redeem_code_not_found', { name })
}
