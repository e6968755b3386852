import { inArray } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { costKey } from '../../pricing/cards'
import type { MovedCost } from '../../pricing/cost-vote'
import type {
  CostProposal,
  EndProposal,
  NewProposal,
  Proposal,
  SaleProposal,
} from '../../pricing/proposals'
import type { PriceState } from '../../pricing/store'
import { priceProposals } from '../schema'
import type { Connection } from './database'

type Row = typeof priceProposals.$inferSelect

const linesOf = (text: string): readonly PriceLine[] => JSON.parse(text) as PriceLine[]

export function proposalOf(row: Row): Proposal {
  const { id, model, vendor, vendorModel, cause, status, by } = row
  const state = { id, cause, status, by }
  const times = { created: row.created as Ms, decided: row.decided as Ms | null }
  switch (row.kind) {
    case 'sale': {
      const [lines, rule] = [linesOf(row.lines), row.rule ?? 0]
      return { ...state, ...times, kind: 'sale', model, lines, rule }
    }
    case 'cost': {
      const moved = JSON.parse(row.moved ?? '[]') as MovedCost[]
      const lines = linesOf(row.lines)
      return { ...state, ...times, kind: 'cost', model, vendor, vendorModel, lines, moved }
    }
    case 'discontinued':
      return { ...state, ...times, kind: 'discontinued', model }
  }
}

/** Inside of a transaction. */
export function addProposal(
  { orm }: Pick<Connection, 'orm'>,
  proposal: NewProposal,
  created: Ms,
): void {
  const { kind, model, cause } = proposal
  const row = { kind, model, cause, created, status: 'pending' as const }
  switch (proposal.kind) {
    case 'sale': {
      const { rule } = proposal
      const lines = JSON.stringify(proposal.lines)
      orm
        .insert(priceProposals)
        .values({ ...row, lines, rule })
        .run()
      break
    }
    case 'cost': {
      const { vendor, vendorModel } = proposal
      const [lines, moved] = [JSON.stringify(proposal.lines), JSON.stringify(proposal.moved)]
      orm
        .insert(priceProposals)
        .values({ ...row, vendor, vendorModel, lines, moved })
        .run()
      break
    }
    case 'discontinued':
      orm
        .insert(priceProposals)
        .values({ ...row, lines: '[]' })
        .run()
  }
}

/** What is pending, and what was decided and must not be proposed again. */
export function decisionsOf({
  orm,
}: Pick<Connection, 'orm'>): Pick<
  PriceState,
  'pending' | 'pendingCosts' | 'pendingEnds' | 'rejected' | 'rejectedCosts' | 'rejectedEnds'
> {
  const pending = new Map<string, SaleProposal>()
  const pendingCosts = new Map<string, CostProposal>()
  const pendingEnds = new Map<string, EndProposal>()
  const rejected = new Map<string, readonly PriceLine[]>()
  const rejectedCosts = new Map<string, (readonly PriceLine[])[]>()
  const rejectedEnds = new Set<string>()
  const rows = orm
    .select()
    .from(priceProposals)
    .where(inArray(priceProposals.status, ['pending', 'approved', 'rejected']))
    .orderBy(priceProposals.id)
    .all()
  for (const row of rows) {
    const key = costKey(row)
    if (row.status === 'approved') {
      // What was rejected before is another change from now on.
      if (row.kind === 'cost') rejectedCosts.delete(key)
    } else if (row.status === 'rejected') {
      if (row.kind === 'sale') rejected.set(row.model, linesOf(row.lines))
      else if (row.kind === 'discontinued') rejectedEnds.add(row.model)
      else rejectedCosts.set(key, [...(rejectedCosts.get(key) ?? []), linesOf(row.lines)])
    } else {
      const proposal = proposalOf(row)
      if (proposal.kind === 'sale') pending.set(row.model, proposal)
      else if (proposal.kind === 'cost') pendingCosts.set(key, proposal)
      else pendingEnds.set(row.model, proposal)
    }
  }
  return { pending, pendingCosts, pendingEnds, rejected, rejectedCosts, rejectedEnds }
}
