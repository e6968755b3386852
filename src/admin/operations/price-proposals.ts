import { Type, type Static } from '@sinclair/typebox'
import type { Ms } from '../../domain/clock'
import { causeCodes, readCause } from '../../pricing/causes'
import { AdminError } from '../admin-error'
import { changeView } from '../price-change-view'
import { priceChanges } from '../price-changes'
import { approvePrices, rejectPrices } from '../price-proposals'
import { Id, Instant, orNull } from './fields'
import { Pricing } from './model-views'
import { operation } from './operation'
import { cataloguePartsOf } from './parts'
import { Choice, proposalChoice } from './price-fields'

export type { CauseCode } from '../../pricing/causes'

const text = Type.String()
const ProposalView = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal('cost'), Type.Literal('sale'), Type.Literal('discontinued')]),
  model: text,
  cause: text,
  /** Code of the cause, with the names in it; null for one in other words. */
  cause_code: orNull(Type.Union(causeCodes.map((code) => Type.Literal(code)))),
  cause_facts: Type.Record(Type.String(), text),
  created: text,
  /** Of a cost: whose, and what it is called there. */
  vendor: orNull(text),
  vendor_model: orNull(text),
  sources: Type.Array(text),
  cost: orNull(Pricing),
  cost_proposed: orNull(Pricing),
  moved: Type.Array(
    Type.Object({
      price: text,
      before: orNull(text),
      after: orNull(text),
      agree: Type.Array(text),
      differ: Type.Array(text),
    }),
  ),
  models: Type.Array(
    Type.Object({
      model: text,
      pricing: Pricing,
      pricing_proposed: Pricing,
      margin_percent: Type.Object({
        before: orNull(text),
        unchanged: orNull(text),
        after: orNull(text),
      }),
      calls_30d: Type.Integer(),
    }),
  ),
})

function proposalView(change: Parameters<typeof changeView>[0]): Static<typeof ProposalView> {
  const { id, kind, model, cause, created, ...view } = changeView(change)
  const known = readCause(cause)
  return {
    id,
    kind,
    model,
    cause,
    cause_code: known?.code ?? null,
    cause_facts: { ...known?.facts },
    created,
    vendor: view.vendor ?? null,
    vendor_model: view.vendor_model ?? null,
    sources: [...(view.sources ?? [])],
    cost: view.cost ?? null,
    cost_proposed: view.cost_proposed ?? null,
    moved: (view.moved ?? []).map(({ agree, differ, ...each }) => ({
      ...each,
      agree: [...agree],
      differ: [...differ],
    })),
    models: view.models,
  }
}

const Decided = Type.Object({ data: Type.Array(Type.Object({ id: Id, model: text })) })

export const priceProposalOperations = [
  operation({
    name: 'price_proposal.list',
    method: 'GET',
    path: '/price-proposals',
    role: 'viewer',
    about: 'Price changes that wait for a decision, and what they come to, oldest first',
    result: Type.Object({ data: Type.Array(ProposalView) }),
    run: async (parts) => ({
      data: (await priceChanges(await cataloguePartsOf(parts))).map(proposalView),
    }),
  }),
  operation({
    name: 'price_proposal.approve',
    method: 'POST',
    path: '/price-proposals/approvals',
    role: 'owner',
    about: 'Do what is proposed, from now or from a later time on',
    body: { ...Choice, from: Type.Optional(Instant) },
    result: Decided,
    async run(parts, { body: { from, ...choice } }) {
      const decided = await approvePrices(await cataloguePartsOf(parts), proposalChoice(choice), {
        from: from === undefined ? null : instantIn(from),
        by: parts.requester.actor,
      })
      return { data: decided.map(({ id, model }) => ({ id, model })) }
    },
  }),
  operation({
    name: 'price_proposal.reject',
    method: 'POST',
    path: '/price-proposals/rejections',
    role: 'owner',
    about: 'Leave prices as they are; the same is not proposed again',
    body: Choice,
    result: Decided,
    async run(parts, { body }) {
      const decided = await rejectPrices(
        await cataloguePartsOf(parts),
        proposalChoice(body),
        parts.requester.actor,
      )
      return { data: decided.map(({ id, model }) => ({ id, model })) }
    },
  }),
] as const

function instantIn(text: string): Ms {
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new AdminError('input_invalid', {
      field: 'from',
      rule: 'bad_form',
      form: 'instant',
    })
  return at as Ms
}
