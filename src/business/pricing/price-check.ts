import { dayOf, type Ms } from '../../domain/clock'
import { causeOf } from './causes'
import { costKey } from '../../gateway/catalogue/cards'
import type { CheckedSource, PriceCheckRecord } from './check-record'
import { costVote, type RejectedQuote, type MovedCost } from './cost-vote'
import type { Proposal } from './proposals'
import { sameLines } from './rule-price'
import { soughtKey } from './sources/read-source'
import type { PriceChanges, PriceState } from './contract'
import { applyAgreed } from './agreed-prices'
import { pendingOf } from './proposal-decisions'
import {
  placesOf,
  sameSources,
  type JudgedCost,
  type SoughtPlace,
  type SourceReading,
} from './price-readings'
import { slicesOf } from './price-slices'
import { settlePrices, unpricedEntries } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'
import { endsOf, type ListedModels } from '../catalogue/vanished-models'

/** A price that is not believed, and whose. */
export interface PlacedDoubt extends RejectedQuote {
  readonly vendorModel: string
  readonly vendor: string
}

/** Outcome of a check of public prices. */
export interface PriceCheck {
  readonly sources: readonly CheckedSource[]
  /** Vendors' models that a source tells a price of. */
  readonly compared: number
  /** New proposals that wait for a decision. */
  readonly proposed: readonly Proposal[]
  /** Those of them that the policy approved. */
  readonly applied: readonly Proposal[]
  /** Proposals that no source tells any more. */
  readonly withdrawn: number
  readonly doubts: readonly PlacedDoubt[]
  /** Models that vanished all at once, which is not believed. */
  readonly unbelievedEnds: number
}

/** Rows of a cost: what is proposed, and what that withdraws. */
const rowsOfCost = 2

const noEnds: ListedModels = { vanished: new Map(), listed: new Set(), unbelieved: 0 }

interface JudgeOptions {
  readonly policy: 'off' | 'agree'
  /** The check before; null where these are not all sources, and no model is missed. */
  readonly last: PriceCheckRecord | null
}

/**
 * Proposes what public prices tell otherwise than what is on record; no price on sale moves, unless
 * the policy approves it.
 */
export async function judgePrices(
  parts: ServiceParts,
  readings: readonly SourceReading[],
  { policy, last }: JudgeOptions,
): Promise<PriceCheck> {
  const { prices } = parts.storage
  await settlePrices(await catalogueOf(parts), causeOf('before_check'))
  const entries = await unpricedEntries(await catalogueOf(parts))
  const places = await placesOf(parts, entries)
  const judged = verdictsOf(await prices.state(), places, readings)
  const ends = endsOf(entries, places, readings, last)
  const heard = new Set(readings.flatMap(({ source, problem }) => (problem === null ? source : [])))
  const state = await prices.state()
  // Nobody waits for a transaction in which nothing happens.
  const concerned = judged.filter((each) => !isNothing(proposalsOf(state, [each], noEnds, heard)))
  const isNew = new Set<string>()
  let withdrawn = 0
  const write = async (some: readonly JudgedCost[], ended: ListedModels) => {
    const { proposed, decided } = await prices.change((now) => proposalsOf(now, some, ended, heard))
    for (const each of proposed) isNew.add(proposalKey(each))
    withdrawn += decided.length
  }
  for (const some of slicesOf(concerned, rowsOfCost)) {
    // What was read for the last ones is gone at once: all of this runs in a thread of its own.
    if (!Bun.isMainThread) Bun.gc(true)
    await write(some, noEnds)
  }
  if (!isNothing(proposalsOf(state, [], ends, heard))) await write([], ends)
  const applied = policy === 'agree' ? await applyAgreed(parts, judged) : []
  const waiting = pendingOf(await prices.state()).filter((each) => isNew.has(proposalKey(each)))
  return {
    sources: readings.map(({ source: name, address, told, problem }) => ({
      name,
      address,
      problem,
      models: told.size,
    })),
    compared: judged.filter(({ isTold }) => isTold).length,
    proposed: waiting,
    applied,
    withdrawn,
    doubts: judged.flatMap(({ place: { vendor, vendorModel }, verdict }) =>
      verdict.doubts.map((doubt) => ({ ...doubt, vendor, vendorModel })),
    ),
    unbelievedEnds: ends.unbelieved,
  }
}

/** Record of a check, for the next one. */
export function checkRecordOf(
  readings: readonly SourceReading[],
  check: PriceCheck,
  last: PriceCheckRecord | null,
  at: Ms,
): PriceCheckRecord {
  const isSame = last !== null && sameSources(last, readings)
  const now = readings.flatMap(({ told }) => [...told.keys()])
  return {
    at,
    sources: [...check.sources],
    seen: [...new Set([...(isSame ? last.seen : []), ...now])],
  }
}

function verdictsOf(
  state: PriceState,
  places: ReadonlyMap<string, SoughtPlace>,
  readings: readonly SourceReading[],
): readonly JudgedCost[] {
  return Array.from(places, ([key, place]) => {
    const held = state.costs.get(key) ?? null
    const voices = readings.flatMap(({ source, told }) => {
      const prices = told.get(soughtKey(place)) ?? []
      return prices.length === 0 ? [] : { source, prices }
    })
    const verdict = costVote(held?.lines ?? [], voices)
    return { place, verdict, held, isTold: voices.length > 0 }
  })
}

interface Found extends PriceChanges {
  readonly proposed: NonNullable<PriceChanges['proposed']>
  readonly confirmed: NonNullable<PriceChanges['confirmed']>
  readonly decided: NonNullable<PriceChanges['decided']>
}

const isNothing = ({ proposed, confirmed, decided }: Found): boolean =>
  proposed.length + confirmed.length + decided.length === 0

const proposalKey = (each: NonNullable<PriceChanges['proposed']>[number]): string =>
  each.kind === 'cost' ? `cost ${costKey(each)}` : `${each.kind} ${each.model}`

const isHeard = ({ agree, differ }: MovedCost, heard: ReadonlySet<string>): boolean =>
  [...agree, ...differ].every((source) => heard.has(source))

function proposalsOf(
  state: PriceState,
  judged: readonly JudgedCost[],
  { vanished, listed }: ListedModels,
  heard: ReadonlySet<string>,
): Found {
  const proposed: Found['proposed'][number][] = []
  const confirmed: Found['confirmed'][number][] = []
  const decided: Found['decided'][number][] = []
  const withdraw = ({ id }: { readonly id: number }) =>
    decided.push({ id, status: 'withdrawn', by: null })
  for (const { place, verdict, held } of judged) {
    const key = costKey(place)
    // Somebody changed it meanwhile: the next check looks again.
    if ((state.costs.get(key)?.id ?? null) !== (held?.id ?? null)) continue
    const pending = state.pendingCosts.get(key)
    // Whoever told of it must be heard again: a source that fails today takes nothing back.
    if (pending !== undefined && !pending.moved.every((each) => isHeard(each, heard))) continue
    const { lines, moved } = verdict
    if (lines === null) {
      if (pending !== undefined && verdict.doubts.length === 0) withdraw(pending)
      continue
    }
    if (pending !== undefined && sameLines(pending.lines, lines)) {
      if (JSON.stringify(pending.moved) !== JSON.stringify(moved))
        confirmed.push({ id: pending.id, moved })
      continue
    }
    if (pending !== undefined) withdraw(pending)
    if (state.rejectedCosts.get(key)?.some((each) => sameLines(each, lines))) continue
    const { vendor, vendorModel, model } = place
    const cause = causeOf('public_prices', { day: dayOf(state.now) })
    proposed.push({ kind: 'cost', vendor, vendorModel, model, lines, moved, cause })
  }
  for (const [model, cause] of vanished)
    if (!state.pendingEnds.has(model) && !state.rejectedEnds.has(model))
      proposed.push({ kind: 'discontinued', model, cause })
  for (const pending of state.pendingEnds.values()) if (listed.has(pending.model)) withdraw(pending)
  return { proposed, confirmed, decided }
}
