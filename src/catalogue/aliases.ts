import type { Offer } from './catalogue'

/** An offer as it is shown under one of its aliases; as it is under any other id. */
export const shownAs = (offer: Offer, id: string): Offer =>
  offer.model.aliases?.some((alias) => alias.id === id) === true
    ? { ...offer, model: { ...offer.model, id } }
    : offer

/** An offer under its own id and under each alias that is listed. */
export const listedAs = (offer: Offer): readonly Offer[] => [
  offer,
  ...(offer.model.aliases ?? []).filter(({ listed }) => listed).map(({ id }) => shownAs(offer, id)),
]
