import { Alert, Text } from '@mantine/core'
import { CallError } from '../metered-call'
import { useErrorText } from './error-text'
import { Code } from './panel'

/** Refusal of a call in the gateway's own words; nothing where there was none. */
export function CallRefused({ error }: { readonly error: unknown }) {
  const errorText = useErrorText()
  if (error === null || error === undefined) return null
  if (!(error instanceof CallError))
    return (
      <Alert color="red" role="alert" p="xs">
        {errorText(error)}
      </Alert>
    )
  return (
    <Alert color="red" role="alert" p="xs">
      <Text size="sm" dir="auto">
        {error.message}
      </Text>
      <Code>{error.code}</Code>
    </Alert>
  )
}
