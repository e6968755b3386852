import { Anchor } from '@mantine/core'
import { useContext } from 'react'
import { Link } from 'wouter'
import { KnownPaths } from '../parts/known-paths'

/** Name of a vendor, which leads to its page where there is one. */
export function VendorLink({ name }: { readonly name: string }) {
  const paths = useContext(KnownPaths)
  const shown = <bdi>{name}</bdi>
  if (!paths.some((path) => path.startsWith('/operator/vendors/'))) return shown
  return (
    <Anchor
      component={Link}
      href={`/operator/vendors/${encodeURIComponent(name)}`}
      size="sm"
      inherit
    >
      {shown}
    </Anchor>
  )
}
