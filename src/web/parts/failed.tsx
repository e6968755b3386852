import { Alert } from '@mantine/core'
import { useErrorText } from './error-text'

/** What went wrong, as a sentence; nothing where nothing did. */
export function Failed({ error }: { readonly error: unknown }) {
  const errorText = useErrorText()
  if (error === null || error === undefined) return null
  return (
    <Alert color="red" role="alert">
      {errorText(error)}
    </Alert>
  )
}
