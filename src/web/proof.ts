import { useSyncExternalStore } from 'react'

/** Ends a question: whether its person has shown who they are. */
type Answer = (isProven: boolean) => void

let asking: { readonly proven: Promise<boolean>; readonly answer: Answer } | null = null
const listeners = new Set<() => void>()

function change(next: typeof asking): void {
  asking = next
  for (const listener of listeners) listener()
}

/** Asks whoever is signed in to show anew who they are; of several who ask at once, once. */
export function requestProof(): Promise<boolean> {
  // Without a page nobody would answer.
  if (listeners.size === 0) return Promise.resolve(false)
  if (asking !== null) return asking.proven
  const { promise, resolve } = Promise.withResolvers<boolean>()
  change({
    proven: promise,
    answer(isProven) {
      change(null)
      resolve(isProven)
    },
  })
  return promise
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How the question that is open is answered; null for none. */
export const useProofQuestion = (): Answer | null =>
  useSyncExternalStore(subscribe, () => asking?.answer ?? null)
