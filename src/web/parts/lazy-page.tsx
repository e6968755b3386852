import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

const reloadedAt = 'chapar.reloaded'
const quietMs = 30_000

/**
 * A page in a chunk of its own. A tab that is older than the program asks for chunks that are gone:
 * it loads itself anew, once.
 *
 * Not `lazy` of React: whatever suspends hides all around it, the rail included, and shows up no sooner than
 * 300 ms after its fallback (`FALLBACK_THROTTLE_MS` of React 19), though its chunk came in ten.
 * @param waiting what stands in its place until then
 */
export function lazyPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LazyPage(props: Props) {
    const [Page, setPage] = useState(() => loaded)
    const [failure, setFailure] = useState<{ readonly thrown: unknown } | null>(null)
    useEffect(() => {
      if (Page === null)
        loadOrReload(load).then(
          (page) => setPage(() => (loaded = page)),
          (thrown: unknown) => setFailure({ thrown }),
        )
    }, [Page])
    if (failure !== null) throw failure.thrown
    return Page === null ? waiting : <Page {...props} />
  }
}

async function loadOrReload<Page>(load: () => Promise<Page>): Promise<Page> {
  try {
    return await load()
  } catch (thrown) {
    const last = Number(sessionStorage.getItem(reloadedAt) ?? 0)
    if (Date.now() - last < quietMs) throw thrown
    sessionStorage.setItem(reloadedAt, String(Date.now()))
    location.reload()
    return await new Promise<never>(() => {})
  }
}
