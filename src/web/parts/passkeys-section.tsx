import { Badge, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { deviceOf } from '../device'
import { useNumbers } from '../numbers'
import { hasPasskeys, makePasskey } from '../passkeys'
import { queries } from '../queries'
import { Confirm } from './confirm'
import { Dialog } from './dialog'
import { Failed } from './failed'

type Passkey = NonNullable<Awaited<ReturnType<typeof api.passkeys.get>>['data']>[number]

const passkeysKey = ['passkeys'] as const
const readAgain = () => queries.invalidateQueries({ queryKey: passkeysKey })

/** Passkeys of whoever is signed in: the second way in. */
export function PasskeysSection() {
  const t = useTranslations('passkeys')
  const [isAdding, setAdding] = useState(false)
  const service = useQuery({ queryKey: ['service'], queryFn: () => ask(api.service.get()) })
  const all = useQuery({ queryKey: passkeysKey, queryFn: () => ask(api.passkeys.get()) })
  const works = service.data?.sign_in.passkeys === true
  return (
    <section className="card panel" aria-labelledby="passkeys">
      <Group justify="space-between" align="start">
        <div>
          <Title order={2} fz="md" id="passkeys">
            {t('title')}
          </Title>
          <Text size="sm" className="soft">
            {t('lead')}
          </Text>
        </div>
        {works && hasPasskeys() && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setAdding(true)}
          >
            {t('add')}
          </Button>
        )}
      </Group>
      <Failed error={all.error ?? service.error} />
      {service.data !== undefined && !(works && hasPasskeys()) && (
        <Text size="sm" className="soft" mt="sm">
          {t(works ? 'unsupported' : 'unavailable')}
        </Text>
      )}
      {all.data === undefined ? (
        <Skeleton h={56} mt="md" />
      ) : all.data.length === 0 ? (
        works && (
          <Text size="sm" className="soft" mt="md">
            {t('none')}
          </Text>
        )
      ) : (
        <ul className="rows">
          {all.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && <NewPasskey onClose={() => setAdding(false)} />}
    </section>
  )
}

function PasskeyRow({ passkey }: { readonly passkey: Passkey }) {
  const t = useTranslations('passkeys')
  const { moment } = useNumbers()
  const [opened, setOpened] = useState<'rename' | 'remove' | null>(null)
  const { id, name, created, last_used: lastUsed } = passkey
  const close = () => setOpened(null)
  return (
    <li>
      <Group justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{name}</bdi>
            </Text>
            {passkey.backed_up && (
              <Badge variant="default" tt="none" size="sm">
                {t('synced')}
              </Badge>
            )}
          </Group>
          <Text size="sm" className="soft">
            {lastUsed === null ? t('unused') : t('used', { when: moment(lastUsed) })} ·{' '}
            {t('made', { when: moment(created) })}
          </Text>
        </div>
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            aria-label={t('renameOf', { name })}
            onClick={() => setOpened('rename')}
          >
            {t('rename')}
          </Button>
          <Button
            variant="light"
            color="red"
            size="xs"
            aria-label={t('removeOf', { name })}
            onClick={() => setOpened('remove')}
          >
            {t('remove')}
          </Button>
        </Group>
      </Group>
      {opened === 'rename' && (
        <NameDialog
          title={t('rename')}
          initial={name}
          submit={t('save')}
          work={(typed) => ask(api.passkeys({ id }).patch({ name: typed }))}
          onClose={close}
        />
      )}
      {opened === 'remove' && (
        <Confirm
          title={t('removeTitle')}
          lead={t('removeLead', { name })}
          action={t('remove')}
          isDangerous
          work={async () => {
            await ask(api.passkeys({ id }).delete())
            await Promise.all([readAgain(), queries.invalidateQueries({ queryKey: ['sessions'] })])
          }}
          onClose={close}
        />
      )}
    </li>
  )
}

function NewPasskey({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('passkeys')
  return (
    <NameDialog
      title={t('add')}
      lead={t('addLead')}
      initial={deviceOf(navigator.userAgent) ?? ''}
      submit={t('create')}
      work={makePasskey}
      onClose={onClose}
    />
  )
}

interface NameDialogProps {
  readonly title: string
  readonly lead?: string
  readonly initial: string
  readonly submit: string
  readonly work: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

function NameDialog({ title, lead, initial, submit, work, onClose }: NameDialogProps) {
  const t = useTranslations('passkeys')
  const [name, setName] = useState(initial)
  const naming = useMutation({
    mutationFn: () => work(name.trim()),
    async onSuccess() {
      await readAgain()
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          naming.mutate()
        }}
      >
        <Stack>
          {lead !== undefined && <Text size="sm">{lead}</Text>}
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={60}
            autoComplete="off"
            data-autofocus
          />
          <Failed error={naming.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={name.trim() === ''} loading={naming.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
