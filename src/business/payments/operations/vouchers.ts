import { Type, type Static } from '@sinclair/typebox'
import { isoOf, type Ms } from '../../../domain/clock'
import { showUsd } from '../../../domain/money'
import { shownRedeemCode, type RedeemCode } from '../voucher'
import type { RedeemCodeId } from '../../../domain/ids'
import { AdminError } from '../../operations/admin-error'
import { createRedeemCodes, revokeRedeemCodes } from '../vouchers'
import { cell } from '../../operations/command'
import {
  beforeId,
  Id,
  Instant,
  max,
  Name,
  orNull,
  page,
  pageOf,
  Usd,
  usdOf,
} from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

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
  expires: isoOf(code.expires),
  redeemed: code.redeemed === null ? null : new Date(code.redeemed.at).toISOString(),
  account: code.redeemed?.account ?? null,
})

/** A code that was just made, and is never told again. */
const FreshView = Type.Object({
  id: Id,
  batch: Type.String(),
  usd: Type.String(),
  code: Type.String(),
  expires: orNull(Type.String()),
})

export const codeOperations = [
  operation({
    name: 'code.list',
    method: 'GET',
    path: '/codes',
    role: 'viewer',
    about: 'Redeem codes and what became of them, newest first, never the codes themselves',
    query: {
      batch: asOption(Type.Optional(Name), 'only of this batch', { option: 'batch <name>' }),
      before: beforeId,
      max,
    },
    result: pageOf(CodeView, Id),
    commands: [
      {
        words: 'code list',
        about: 'list codes and what became of them, newest first',
        example: 'code list',
        object: 'redeem_code',
        list: {
          pages: 'before',
          isNewestFirst: true,
          columns: [
            'id',
            'batch',
            'usd',
            'ending',
            'state',
            'created',
            'expires',
            'redeemed',
            'account',
            'by',
          ],
          heading: ['ID', 'BATCH', 'DOLLARS', 'ENDS IN', 'STATE', 'REDEEMED', 'ACCOUNT'],
          cells: (code) => [
            String(code.id),
            code.batch,
            cell.usd(code.usd),
            code.ending,
            code.state,
            cell.some(code.redeemed),
            cell.some(code.account),
          ],
        },
      },
    ],
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
      usd: asOption(Usd, 'what each is worth', { kind: 'usd', option: 'usd <amount>' }),
      count: asOption(Type.Integer({ minimum: 1, default: 1 }), 'how many (default: 1)'),
      batch: asOption(Type.Optional(Name), 'what they are known by together (default: the time)', {
        kind: 'name',
        option: 'batch <name>',
      }),
      expires: asOption(
        Type.Optional(orNull(Instant)),
        'a date, or a span such as 90d; else they never do',
        { kind: 'instant', option: 'expires <when>' },
      ),
    },
    commands: [
      {
        words: 'code create',
        about: 'make codes that are worth dollars once; they are printed now and never again',
        example: 'code create --usd 10 --count 50 --csv > codes.csv',
        object: 'redeem_code',
        list: {
          pages: null,
          columns: ['id', 'batch', 'usd', 'code', 'expires'],
          heading: ['CODE', 'DOLLARS', 'EXPIRES', 'ID'],
          cells: (code) => [
            code.code,
            cell.usd(code.usd),
            cell.some(code.expires),
            String(code.id),
          ],
        },
        // Beside the codes themselves, which may go to a file.
        said: ({ batch, data }) => ({
          stdout: [],
          stderr: [
            `${data.length} code${data.length === 1 ? '' : 's'} of batch ${batch}: keep the digits, nobody can read them again`,
          ],
        }),
      },
    ],
    result: Type.Object({
      batch: Type.String(),
      data: Type.Array(FreshView),
    }),
    async run(parts, { body }) {
      const { storage, service, requester } = parts
      const amount = usdOf(body.usd)
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
        data: made.map(({ id, batch, amount: worth, code, expires: until }) => ({
          id,
          batch,
          usd: showUsd(worth),
          code: shownRedeemCode(code),
          expires: isoOf(until),
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
    body: {
      id: asOption(Type.Optional(Id), 'number of the code'),
      batch: asOption(Type.Optional(Name), 'every code of this batch', { option: 'batch <name>' }),
    },
    result: Type.Object({ revoked: Type.Integer() }),
    commands: [
      {
        words: 'code revoke',
        about: 'end codes that nobody has redeemed: one, or a batch',
        example: 'code revoke 12\n  chapar code revoke --batch newroz',
        places: { id: '[id]' },
        object: 'redeem_codes',
        said: ({ revoked }) => ({ stdout: [`${revoked} code${revoked === 1 ? '' : 's'} revoked`] }),
      },
    ],
    async run({ storage }, { body }) {
      const { id, batch } = body
      if ((id === undefined) === (batch === undefined))
        throw new AdminError('input_invalid', {
          field: 'id',
          rule: 'one_of_fields',
          fields: ['id', 'batch'],
        })
      const which = id === undefined ? { batch: batch ?? '' } : { id: id as RedeemCodeId }
      return { revoked: await revokeRedeemCodes(storage.redeemCodes, which) }
    },
  }),
] as const
