import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  NavLink,
  Stack,
  Text,
  Button,
  Skeleton,
} from '@mantine/core'
import { useDisclosure, useHotkeys, useReducedMotion } from '@mantine/hooks'
import { IconLogout, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useLocation } from 'wouter'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ask } from '../../client'
import { Mark } from '../../parts/mark'
import { PreferencesBar } from '../../parts/preferences-bar'
import { serviceName } from '../../title'
import { forgetOperator, type OperatorMe } from '../me'
import { door } from '../operate'
import { useSteps } from '../desk/steps'
import { operatorPages } from '../pages'
import { Palette } from './palette'
import { UndoOffer } from './undo-offer'
import { Failed } from '../../parts/failed'
import { PasskeyProof, ProofQuestion } from '../../parts/account/proof-question'
import { hasPasskeys } from '../../passkeys'
import { operatorPasskeys, proveByPasskey } from '../passkeys'
import { PasswordField } from './password-field'
import { Form } from '../../parts/form'

const leave = async () => {
  await ask(door.session.delete())
  forgetOperator()
}

interface ShellProps {
  readonly me: OperatorMe
  readonly children: ReactNode
}

/** Frame of every page of the console: navigation, search, session. */
export function OperatorShell({ me, children }: ShellProps) {
  const t = useTranslations('nav')
  const roles = useTranslations('roles')
  const isStill = useReducedMotion()
  const palette = useTranslations('palette')
  const [open, { toggle, close }] = useDisclosure(false)
  const [isSearching, { open: openPalette, close: closePalette }] = useDisclosure(false)
  useHotkeys([['mod+K', openPalette]], [])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={isStill ? 0 : 200}
      classNames={{ header: 'shell-edge operator-edge', navbar: 'shell-edge' }}
    >
      <a href="#main" className="skip">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={open}
            />
            <Mark />
            <Text fw={700} size="lg" truncate="end">
              {serviceName}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" className="soft" dir="ltr" visibleFrom="sm">
              {me.name}
            </Text>
            <Badge variant="light" tt="none" visibleFrom="sm">
              {roles(me.role)}
            </Badge>
            <ActionIcon
              variant="subtle"
              size={44}
              aria-label={palette('open')}
              title="Ctrl-K"
              onClick={openPalette}
            >
              <IconSearch size={18} />
            </ActionIcon>
            <PreferencesBar />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label={t('menu')}>
        <Rail onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <div className="page operator-page">{children}</div>
        {isSearching && <Palette onClose={closePalette} />}
        <UndoOffer name={me.name} />
      </AppShell.Main>
      <OperatorProof />
    </AppShell>
  )
}

const isHere = (to: string, path: string): boolean =>
  path === to || (to !== '/operator' && path.startsWith(`${to}/`))

function Rail({ onGo }: { readonly onGo: () => void }) {
  const t = useTranslations('operatorNav')
  const nav = useTranslations('nav')
  const [path] = useLocation()
  const steps = useSteps().data?.data
  // It goes away once all is done.
  const isSetUp = steps === undefined || steps.every(({ done }) => done)
  const shown = operatorPages.filter(({ rail }) => rail?.name !== 'steps' || !isSetUp)
  return (
    <>
      <Stack gap={2} style={{ flex: 1, minHeight: 0, overflowY: 'auto' }}>
        {shown.flatMap(({ path: to, rail }) =>
          rail === undefined ? (
            []
          ) : (
            <NavLink
              key={to}
              component={Link}
              href={to}
              onClick={onGo}
              label={t(rail.name)}
              leftSection={<rail.Icon size={18} stroke={1.6} />}
              active={isHere(to, path)}
              aria-current={isHere(to, path) ? 'page' : undefined}
              className="rail-link"
            />
          ),
        )}
      </Stack>
      <NavLink
        component="button"
        type="button"
        label={nav('signOut')}
        leftSection={<IconLogout size={18} stroke={1.6} />}
        onClick={() => void leave()}
        className="rail-link"
      />
    </>
  )
}

/** Question of who is at the page, for operators. */
const OperatorProof = () => (
  <ProofQuestion>{(onProven) => <Proof onProven={onProven} />}</ProofQuestion>
)

function Proof({ onProven }: { readonly onProven: () => void }) {
  const t = useTranslations('operatorProof')
  const [password, setPassword] = useState('')
  const { queryKey, list } = operatorPasskeys('')
  const passkeys = useQuery({ queryKey, queryFn: list })
  const byPasskey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProven })
  const byPassword = useMutation({
    mutationFn: () => ask(door.proof.password.post({ password })),
    onSuccess: onProven,
  })
  if (passkeys.isPending) return <Skeleton h={88} />
  // A list that cannot be read takes the password all the same.
  const offersPasskey = passkeys.data !== undefined && passkeys.data.length > 0 && hasPasskeys()
  return (
    <>
      <Failed error={byPasskey.error ?? byPassword.error} />
      {offersPasskey && (
        <PasskeyProof isPending={byPasskey.isPending} prove={() => byPasskey.mutate()} />
      )}
      <Form onSubmit={() => byPassword.mutate()}>
        <Stack>
          <PasswordField
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant={offersPasskey ? 'default' : 'filled'}
            disabled={password === ''}
            loading={byPassword.isPending}
          >
            {t('password')}
          </Button>
        </Stack>
      </Form>
    </>
  )
}
