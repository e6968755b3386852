import { Alert, Text } from '@mantine/core'
import { CallError } from '../metered-call'
import { useErrorText } from './error-text'

/** Why a call was refused, in the gateway's own words; nothing where it was not. */
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
      <bdi className="code" dir="ltr" lang="en">
        {error.code}
      </bdi>
    </Alert>
  )
}
