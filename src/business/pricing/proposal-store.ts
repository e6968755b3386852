import { eq, inArray, sql } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { once } from '../../domain/memoize'
import { costKey } from '../../gateway/catalogue/cards'
import type { MovedCost } from './cost-vote'
import type { CostProposal, EndProposal, NewProposal, Proposal, SaleProposal } from './proposals'
import type { PriceChanges, PriceState } from './contract'
import { priceProposals } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

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

/** A writer of proposals, inside of a transaction. */
export function openProposals({
  orm,
}: Pick<Connection, 'orm'>): (proposal: NewProposal, created: Ms) => void {
  // Thousands may come at once.
  const insert = once(() =>
    orm
      .insert(priceProposals)
      .values({
        kind: sql.placeholder('kind'),
        model: sql.placeholder('model'),
        vendor: sql.placeholder('vendor'),
        vendorModel: sql.placeholder('vendorModel'),
        lines: sql.placeholder('lines'),
        moved: sql.placeholder('moved'),
        rule: sql.placeholder('rule'),
        cause: sql.placeholder('cause'),
        created: sql.placeholder('created'),
        status: 'pending',
      })
      .prepare(),
  )
  return (proposal, created) => insert().run({ ...rowOf(proposal), created })
}

export type ProposalDecision = NonNullable<PriceChanges['decided']>[number]

/** A writer of what is decided about proposals, inside of a transaction. */
export function openDecisions({
  orm,
}: Pick<Connection, 'orm'>): (decision: ProposalDecision, decided: Ms) => void {
  const update = once(() =>
    orm
      .update(priceProposals)
      .set({
        status: sql`${sql.placeholder('status')}`,
        by: sql`${sql.placeholder('by')}`,
        decided: sql`${sql.placeholder('decided')}`,
      })
      .where(eq(priceProposals.id, sql.placeholder('id')))
      .prepare(),
  )
  return ({ id, status, by }, decided) => update().run({ id, status, by, decided })
}

/** Columns of a new proposal that differ by its kind; a sale price and an end are of no vendor. */
function rowOf({ kind, model, cause, ...proposal }: NewProposal) {
  const row = {
    kind,
    model,
    cause,
    vendor: '',
    vendorModel: '',
    lines: '[]',
    moved: null,
    rule: null,
  }
  if ('moved' in proposal) {
    const { vendor, vendorModel, lines, moved } = proposal
    return {
      ...row,
      vendor,
      vendorModel,
      lines: JSON.stringify(lines),
      moved: JSON.stringify(moved),
    }
  }
  if (!('rule' in proposal)) return row
  return { ...row, lines: JSON.stringify(proposal.lines), rule: proposal.rule }
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
