import { useEffect } from 'react'

/** The name of the service, as the server wrote it into the page. */
export const serviceName = document.title === '%name%' ? 'Chapar' : document.title

/** Sets the title of the tab, for screen readers and histories. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} · ${serviceName}`
  }, [page])
}
