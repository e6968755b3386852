import type { Offer } from './catalogue'

/** An offer as it is shown under one of its aliases, or under a name of several models; as it is under any other id. */
export function shownAs(offer: Offer, id: string): Offer {
  const row = offer.shown ?? offer
  return row.model.aliases?.some((alias) => alias.id === id) === true
    ? { ...row, model: { ...row.model, id } }
    : row
}

/** An offer under its own id and under each alias that is listed. */
export const listedAs = (offer: Offer): readonly Offer[] => [
  offer,
  ...(offer.model.aliases ?? []).filter(({ listed }) => listed).map(({ id }) => shownAs(offer, id)),
]
