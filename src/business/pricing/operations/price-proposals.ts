import { Type } from '@sinclair/typebox'
import { priceChange, priceChanges } from '../price-changes'
import { approvePrices, rejectPrices } from '../proposal-decisions'
import { Id, Instant, instantOf } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { cataloguePartsOf } from '../../operations/parts'
import { Choice, proposalChoice } from './price-fields'
import { proposalCommands } from './price-proposal-commands'
import { DecidedProposals, decidedView, ProposalView, proposalView } from './price-proposal-view'

export type { CauseCode } from '../causes'

const typedChoice = {
  ids: asOption(Choice.ids, 'numbers of changes', { kind: 'count', isRepeated: true }),
  all: asOption(Choice.all, 'all that wait'),
}

/** A day, or a moment. @throws RangeError */
function dayOf(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new RangeError('A day (2030-01-01) or a time is needed.')
  return new Date(time).toISOString()
}

export const priceProposalOperations = [
  operation({
    name: 'price_proposal.list',
    method: 'GET',
    path: '/price-proposals',
    role: 'viewer',
    about: 'Price changes that wait for a decision, and what they come to, oldest first',
    result: Type.Object({ data: Type.Array(ProposalView) }),
    commands: [proposalCommands.list],
    run: async (parts) => ({
      data: (await priceChanges(await cataloguePartsOf(parts))).map(proposalView),
    }),
  }),
  operation({
    name: 'price_proposal.get',
    method: 'GET',
    path: '/price-proposals/{id}',
    role: 'viewer',
    about: 'One price change that waits for a decision, and what it comes to',
    params: { id: Id },
    result: ProposalView,
    commands: [proposalCommands.show],
    run: async (parts, { params }) =>
      proposalView(await priceChange(await cataloguePartsOf(parts), params.id)),
  }),
  operation({
    name: 'price_proposal.approve',
    method: 'POST',
    path: '/price-proposals/approvals',
    role: 'owner',
    about: 'Do what is proposed, from now or from a later time on',
    body: {
      ...typedChoice,
      from: asOption(
        Type.Optional(Instant),
        'a day or time from which on it holds (default: now)',
        { option: 'from <day>', read: dayOf },
      ),
    },
    result: DecidedProposals,
    commands: [proposalCommands.approve],
    async run(parts, { body: { from, ...choice } }) {
      const decided = await approvePrices(await cataloguePartsOf(parts), proposalChoice(choice), {
        from: from === undefined ? null : instantOf(from, 'from'),
        by: parts.requester.actor,
      })
      return decidedView(decided, 'approved', from)
    },
  }),
  operation({
    name: 'price_proposal.reject',
    method: 'POST',
    path: '/price-proposals/rejections',
    role: 'owner',
    about: 'Leave prices as they are; the same is not proposed again',
    body: typedChoice,
    result: DecidedProposals,
    commands: [proposalCommands.reject],
    async run(parts, { body }) {
      const decided = await rejectPrices(
        await cataloguePartsOf(parts),
        proposalChoice(body),
        parts.requester.actor,
      )
      return decidedView(decided, 'rejected')
    },
  }),
] as const
