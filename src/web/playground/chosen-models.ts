import { useState } from 'react'
import type { Family } from '../model-families'

const nameOf = (family: Family): string => `chapar.playground.${family}`
const maxModels = 2

function read(family: Family): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(family)) ?? '[]')
    return Array.isArray(kept)
      ? kept.filter((each) => typeof each === 'string').slice(0, maxModels)
      : []
  } catch {
    // Not kept where the browser keeps nothing.
    return []
  }
}

function keep(family: Family, models: readonly string[]): void {
  try {
    localStorage.setItem(nameOf(family), JSON.stringify(models))
  } catch {
    // The choice holds for this visit.
  }
}

/**
 * Names of the models that were chosen last, one or two: all that a visit to the playground leaves behind.
 * @param asked by the address of the page
 */
export function useChosenModels(family: Family, asked: string | null) {
  const [models, setModels] = useState<readonly string[]>(() =>
    asked === null ? read(family) : [asked],
  )
  return {
    models,
    choose(next: readonly string[]) {
      keep(family, next)
      setModels(next)
    },
  }
}
