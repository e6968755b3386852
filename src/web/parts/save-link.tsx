import { Anchor } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'

interface SaveLinkProps {
  readonly file: Blob
  /** Of the file, once it is saved. */
  readonly name: string
  readonly children: ReactNode
}

/** Saves a file that the browser holds. */
export function SaveLink({ file, name, children }: SaveLinkProps) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <Anchor href={url} download={name} size="sm">
      {children}
    </Anchor>
  )
}
