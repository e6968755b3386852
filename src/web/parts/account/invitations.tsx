import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { changeAccount, readMeAgain, type Me } from '../../me'
import { useNumbers } from '../../numbers'
import { Failed } from '../failed'

type Invitation = Me['invitations'][number]

/** Accounts that whoever is signed in is asked to join, on every page until they answer. */
export const Invitations = ({ all }: { readonly all: readonly Invitation[] }) =>
  all.map((each) => <InvitationNote key={each.id} invitation={each} />)

function InvitationNote({ invitation }: { readonly invitation: Invitation }) {
  const t = useTranslations('invitations')
  const { digits } = useNumbers()
  const { id, by, account_name: name } = invitation
  const account = whole(digits(`\u2068${name}\u2069`))
  const accept = useMutation({
    mutationFn: () => ask(api.invitations({ id }).accept.post()),
    onSuccess: changeAccount,
  })
  const decline = useMutation({
    mutationFn: () => ask(api.invitations({ id }).delete()),
    onSuccess: readMeAgain,
  })
  return (
    <Alert className="notice" role="status" mb="lg">
      <Group justify="space-between">
        <Text size="sm">
          {by === null
            ? t('asked', { account })
            : t('askedBy', { by: whole(digits(`\u2066${by}\u2069`)), account })}
        </Text>
        <Group gap="xs">
          <Button loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('accept')}
          </Button>
          <Button variant="default" loading={decline.isPending} onClick={() => decline.mutate()}>
            {t('decline')}
          </Button>
        </Group>
      </Group>
      <Failed error={accept.error ?? decline.error} />
    </Alert>
  )
}

/** Stays on one line: a number that is torn is hard to read. */
const whole = (text: string): string => text.replaceAll(' ', '\u00a0')
