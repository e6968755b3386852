import { Type, type Static } from '@sinclair/typebox'
import type { Ms } from '../../domain/clock'
import { showUsd } from '../../domain/money'
import { shownRedeemCode, type RedeemCode, type RedeemCodeId } from '../../payments/redeem-codes'
import { AdminError } from '../admin-error'
import { createRedeemCodes, revokeRedeemCodes } from '../redeem-codes'
import { amountOf, beforeId, Id, Instant, max, Name, orNull, page, pageOf, Usd } from './fields'
import { operation } from './operation'

const CodeState = Type.Union([
  Type.Literal('unused'),
  Type.Literal('redeemed'),
  Type.Literal('revoked'),
  Type.Literal('expired'),
])

const CodeView = Type.Object({
  id: Id,
  batch: Type.String(),
  usd: Type.String(),
  /** Last digits, to know it by. */
  ending: Type.String(),
  state: CodeState,
  created: Type.String(),
  by: Type.String(),
  expires: orNull(Type.String()),
  redeemed: orNull(Type.String()),
  /** Who redeemed it. */
  account: orNull(Id),
})

function codeState(code: RedeemCode, now: Ms): Static<typeof CodeState> {
  if (code.redeemed !== null) return 'redeemed'
  if (code.revoked !== null) return 'revoked'
  return code.expires !== null && code.expires <= now ? 'expired' : 'unused'
}

const codeShown = (code: RedeemCode, now: Ms): Static<typeof CodeView> => ({
  id: code.id,
  batch: code.batch,
  usd: showUsd(code.amount),
  ending: code.ending,
  state: codeState(code, now),
  created: new Date(code.created).toISOString(),
  by: code.by,
  expires: code.expires === null ? null : new Date(code.expires).toISOString(),
  redeemed: code.redeemed === null ? null : new Date(code.redeemed.at).toISOString(),
  account: code.redeemed?.account ?? null,
})

/** Of a page that shows them; a command makes more. */
const maxCodesAtOnce = 1000

export const codeOperations = [
  operation({
    name: 'code.list',
    method: 'GET',
    path: '/codes',
    role: 'viewer',
    about: 'Redeem codes and what became of them, newest first, never the codes themselves',
    query: { batch: Type.Optional(Name), before: beforeId, max },
    result: pageOf(CodeView, Id),
    async run({ storage, service }, { query }) {
      const { batch = null, before = null, max } = query
      const found = await storage.redeemCodes.list({
        batch,
        before: before as RedeemCodeId | null,
        max: max + 1,
      })
      const now = service.clock.now()
      return page(
        found.map((code) => codeShown(code, now)),
        max,
        ({ id }) => id,
      )
    },
  }),
  operation({
    name: 'code.create',
    method: 'POST',
    path: '/codes',
    role: 'staff',
    about: 'Make redeem codes that are worth dollars once; they are told now and never again',
    body: {
      /** What each is worth. */
      usd: Usd,
      count: Type.Integer({ minimum: 1, maximum: maxCodesAtOnce }),
      batch: Type.Optional(Name),
      /** Null for never. */
      expires: Type.Optional(orNull(Instant)),
    },
    result: Type.Object({
      batch: Type.String(),
      data: Type.Array(Type.Object({ id: Id, usd: Type.String(), code: Type.String() })),
    }),
    async run(parts, { body }) {
      const { storage, service, requester } = parts
      const amount = amountOf(body.usd)
      const expires = body.expires ?? null
      const made = await createRedeemCodes(
        { store: storage.redeemCodes, clock: service.clock, hashOf: service.hashRedeemCode },
        {
          amount,
          count: body.count,
          batch: body.batch?.trim() ?? null,
          expires: expires === null ? null : (Date.parse(expires) as Ms),
          by: requester.actor,
        },
      )
      return {
        batch: made[0]?.batch ?? '',
        data: made.map(({ id, amount: worth, code }) => ({
          id,
          usd: showUsd(worth),
          code: shownRedeemCode(code),
        })),
      }
    },
  }),
  operation({
    name: 'code.revoke',
    method: 'POST',
    path: '/codes/revocations',
    role: 'staff',
    about: 'End codes that nobody has redeemed: one by its number, or a batch',
    body: { id: Type.Optional(Id), batch: Type.Optional(Name) },
    result: Type.Object({ revoked: Type.Integer() }),
    async run({ storage }, { body }) {
      const { id, batch } = body
      if ((id === undefined) === (batch === undefined))
        throw new AdminError('input_invalid', { field: 'id', rule: 'id, or batch' })
      const which = id === undefined ? { batch: batch ?? '' } : { id: id as RedeemCodeId }
      return { revoked: await revokeRedeemCodes(storage.redeemCodes, which) }
    },
  }),
] as const
