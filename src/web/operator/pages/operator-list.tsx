import { Badge, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { Confirm } from '../../parts/confirm'
import { CopyOnce } from '../../parts/copy-once'
import { Dialog } from '../../parts/dialog'
import { Failed } from '../../parts/failed'
import { PageHead } from '../../parts/page-head'
import { queries } from '../../queries'
import { useMay, useOperator, type OperatorMe } from '../me'
import { operate, type Result, door } from '../operate'
import { OperatorKeys } from '../parts/operator-keys'
import { OperatorSessions } from '../parts/operator-sessions'
import { RoleSelect } from '../parts/role-select'
import { Code } from '../../parts/panel'
import { FormDialog } from '../../parts/form-dialog'
import { ask } from '../../client'
import { PasskeyList } from '../../parts/account/passkey-list'
import { operatorPasskeys } from '../passkeys'
import { PasswordField } from '../parts/password-field'
import { EndedRights, type Ended } from '../parts/ended-rights'

type Operator = Result<'GET /operators'>['data'][number]
type Role = OperatorMe['role']

const readAgain = async (): Promise<void> => {
  await Promise.all(
    ['operators', 'op-keys'].map((name) => queries.invalidateQueries({ queryKey: ['op', name] })),
  )
}

/** Page of operators, keys of programs, and the operator's own sessions. */
export function OperatorsPage() {
  const t = useTranslations('operators')
  const may = useMay()
  const [isAdding, setAdding] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  const [ended, setEnded] = useState<Ended | null>(null)
  const operators = useQuery({
    queryKey: ['op', 'operators'],
    queryFn: () => operate('GET /operators', {}),
  })
  return (
    <Stack gap="lg">
      <PageHead title={t('title')} lead={t('lead')}>
        {may('owner') && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )}
      </PageHead>
      <Failed error={operators.error} />
      <section className="card">
        <ul className="list">
          {(operators.data?.data ?? []).map((operator) => (
            <li key={operator.name}>
              <OperatorRow operator={operator} onLink={setLink} onEnded={setEnded} />
            </li>
          ))}
        </ul>
      </section>
      <OperatorKeys />
      <OwnPasskeys />
      <OperatorSessions />
      {isAdding && <AddOperator onClose={() => setAdding(false)} onLink={setLink} />}
      {ended !== null && link === null && (
        <EndedRights ended={ended} onClose={() => setEnded(null)} />
      )}
      {link !== null && <LinkMade link={link} onClose={() => setLink(null)} />}
    </Stack>
  )
}

interface OperatorRowProps {
  readonly operator: Operator
  readonly onLink: (link: string) => void
  readonly onEnded: (ended: Ended) => void
}

function OperatorRow({ operator, onLink, onEnded }: OperatorRowProps) {
  const t = useTranslations('operators')
  const roles = useTranslations('roles')
  const { date } = useNumbers()
  const may = useMay()
  const me = useOperator()
  const [asking, setRequesting] = useState<Asking | null>(null)
  const close = () => setRequesting(null)
  const { name, role, ready, created } = operator
  const params = { name }
  const work = async () => {
    if (asking === 'remove') onEnded((await operate('DELETE /operators/{name}', { params })).ended)
    else if (ready) {
      const made = await operate('POST /operators/{name}/reset', { params })
      onLink(made.link)
      onEnded(made.ended)
    } else onLink((await operate('POST /operators/{name}/link', { params })).link)
    await readAgain()
  }
  return (
    <div className="list-link still">
      <Group justify="space-between">
        <div>
          <Code>{name}</Code>
          <Text size="sm" className="soft number">
            {t('since', { day: date(created.slice(0, 10)) })}
          </Text>
        </div>
        <Group gap="xs">
          {!ready && (
            <Badge variant="light" color="gray" tt="none">
              {t('waiting')}
            </Badge>
          )}
          <Badge variant="light" tt="none">
            {roles(role)}
          </Badge>
          {may('owner') && me.data?.name !== name && (
            <RowActions ready={ready} onAsk={setRequesting} />
          )}
        </Group>
      </Group>
      {asking === 'role' && <ChangeRole operator={operator} onClose={close} onEnded={onEnded} />}
      {(asking === 'reset' || asking === 'remove') && (
        <Confirm
          title={t(asking === 'remove' ? 'remove' : ready ? 'reset' : 'newLink')}
          lead={t(asking === 'remove' ? 'removeLead' : ready ? 'resetLead' : 'newLinkLead', {
            name,
          })}
          action={t(asking === 'remove' ? 'remove' : ready ? 'reset' : 'newLink')}
          isDangerous={asking === 'remove'}
          work={work}
          onClose={close}
        />
      )}
    </div>
  )
}

type Asking = 'reset' | 'remove' | 'role'

interface RowActionsProps {
  readonly ready: boolean
  readonly onAsk: (asking: Asking) => void
}

function RowActions({ ready, onAsk: onRequest }: RowActionsProps) {
  const t = useTranslations('operators')
  return (
    <>
      <Button size="xs" variant="default" onClick={() => onRequest('role')}>
        {t('changeRole')}
      </Button>
      <Button size="xs" variant="default" onClick={() => onRequest('reset')}>
        {t(ready ? 'reset' : 'newLink')}
      </Button>
      <Button
        size="xs"
        variant="default"
        c="var(--mantine-color-error)"
        onClick={() => onRequest('remove')}
      >
        {t('remove')}
      </Button>
    </>
  )
}

function ChangeRole({
  operator,
  onClose,
  onEnded,
}: {
  readonly operator: Operator
  readonly onClose: () => void
  readonly onEnded: (ended: Ended) => void
}) {
  const t = useTranslations('operators')
  const [role, setRole] = useState<Role>(operator.role)
  const save = useMutation({
    mutationFn: () =>
      operate('PATCH /operators/{name}', { params: { name: operator.name }, body: { role } }),
    async onSuccess({ ended }) {
      await readAgain()
      onClose()
      onEnded(ended)
    },
  })
  return (
    <FormDialog title={operator.name} saving={save} onClose={onClose}>
      <RoleSelect value={role} onChange={setRole} />
      <Text size="sm">{t('roleLead', { name: operator.name })}</Text>
    </FormDialog>
  )
}

interface AddOperatorProps {
  readonly onClose: () => void
  readonly onLink: (link: string) => void
}

function AddOperator({ onClose, onLink }: AddOperatorProps) {
  const t = useTranslations('operators')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('staff')
  const add = useMutation({
    mutationFn: () => operate('POST /operators', { body: { name, role } }),
    async onSuccess({ link }) {
      await readAgain()
      onClose()
      onLink(link)
    },
  })
  return (
    <FormDialog
      title={t('add')}
      action={t('add')}
      isReady={!(name.trim() === '')}
      saving={add}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        description={t('nameLead')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        dir="ltr"
        required
        withAsterisk={false}
        maxLength={40}
        data-autofocus
      />
      <RoleSelect value={role} onChange={setRole} />
    </FormDialog>
  )
}

function LinkMade({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  const t = useTranslations('operators')
  return (
    <Dialog opened onClose={onClose} isHeld title={t('link')}>
      <Stack>
        <Title order={3} fz="sm" fw={400}>
          {t('linkLead')}
        </Title>
        <CopyOnce text={link} label={t('link')} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('handedOver')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Passkeys of the operator who is signed in. */
function OwnPasskeys() {
  const t = useTranslations('operatorPasskeys')
  const [password, setPassword] = useState('')
  const status = useQuery({ queryKey: ['operator-status'], queryFn: () => ask(door.status.get()) })
  return (
    <PasskeyList
      book={operatorPasskeys(password)}
      lead={t('lead')}
      works={status.data?.passkeys}
      asked={
        <PasswordField
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      }
    />
  )
}
