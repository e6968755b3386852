import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

const reloadedAt = 'chapar.reloaded'
const quietMs = 30_000

/**
 * A page in a chunk of its own. A tab that is older than the program asks for chunks that are gone:
 * it loads itself anew, once.
 */
export const lazyPage = <Props,>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    try {
      return { default: await load() }
    } catch (thrown) {
      const last = Number(sessionStorage.getItem(reloadedAt) ?? 0)
      if (Date.now() - last < quietMs) throw thrown
      sessionStorage.setItem(reloadedAt, String(Date.now()))
      location.reload()
      return await new Promise<never>(() => {})
    }
  })
