import {
  AppShell,
  Burger,
  Group,
  NavLink,
  Stack,
  Text,
  Alert,
  Button,
  ActionIcon,
} from '@mantine/core'
import { useDisclosure, useReducedMotion } from '@mantine/hooks'
import { IconBook2, IconLogout, IconBell } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Link, useLocation } from 'wouter'
import { useMutation } from '@tanstack/react-query'
import { api, ask } from '../client'
import { forgetMe, type Me, readMeAgain } from '../me'
import { useNumbers } from '../numbers'
import { pages } from '../pages'
import { serviceName } from '../title'
import { AccountMenu } from './account/account-menu'
import { Invitations } from './account/invitations'
import { KycBanner } from './account/kyc-banner'
import { Mark } from './mark'
import { PreferencesBar } from './preferences-bar'
import { ProofDialog } from './account/proof-dialog'
import { useErrorText } from './error-text'
import { Failed } from './failed'

const leave = async () => {
  await ask(api.session.delete())
  forgetMe()
}

interface ShellProps {
  readonly me: Me
  readonly children: ReactNode
}

/** Frame of every page of an account: navigation, account menu, banners. */
export function Shell({ me, children }: ShellProps) {
  const t = useTranslations('nav')
  const { digits } = useNumbers()
  const isStill = useReducedMotion()
  const [open, { toggle, close }] = useDisclosure(false)
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !open } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={isStill ? 0 : 200}
      classNames={{ header: 'shell-edge', navbar: 'shell-edge' }}
    >
      <a href="#main" className="skip">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={open}
            />
            <Mark />
            <Text fw={700} size="lg" {...(me.accounts.length > 1 && { visibleFrom: 'xs' })}>
              {serviceName}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" className="soft number" dir="ltr" visibleFrom="sm">
              {digits(me.person.phone ?? '')}
            </Text>
            <AccountMenu me={me} />
            <Bell unread={me.unread} />
            <PreferencesBar />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" component="nav" aria-label={t('menu')}>
        <Rail onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <div className="page">
          {me.look !== null && <ImpersonationBanner me={me} look={me.look} />}
          {me.phone_moves_at !== null && <PhoneMoves at={me.phone_moves_at} />}
          <Invitations all={me.invitations} />
          {me.account.kyc !== null && <KycBanner kyc={me.account.kyc} />}
          {children}
        </div>
      </AppShell.Main>
      <ProofDialog />
    </AppShell>
  )
}

function Rail({ onGo }: { readonly onGo: () => void }) {
  const t = useTranslations('nav')
  const [path] = useLocation()
  return (
    <>
      <Stack gap={2} style={{ flex: 1 }}>
        {pages.map(([to, name, Icon]) => (
          <NavLink
            key={name}
            component={Link}
            href={to}
            onClick={onGo}
            label={t(name)}
            leftSection={<Icon size={18} stroke={1.6} />}
            active={path === to}
            aria-current={path === to ? 'page' : undefined}
            className="rail-link"
          />
        ))}
      </Stack>
      <NavLink
        href="/docs/start"
        label={t('docs')}
        leftSection={<IconBook2 size={18} stroke={1.6} />}
        className="rail-link"
      />
      <NavLink
        component="button"
        type="button"
        label={t('signOut')}
        leftSection={<IconLogout size={18} stroke={1.6} />}
        onClick={() => void leave()}
        className="rail-link"
      />
    </>
  )
}

/** Notice of a planned change of number, which whoever did not ask for it stops here. */
export function PhoneMoves({ at }: { readonly at: number }) {
  const t = useTranslations('phoneMoves')
  const { moment } = useNumbers()
  const errorText = useErrorText()
  const keep = useMutation({
    mutationFn: () => ask(api.phone.move.delete()),
    onSuccess: readMeAgain,
  })
  return (
    <Alert className="notice" role="alert" mb="lg">
      <Group justify="space-between">
        <Text size="sm">{t('lead', { when: moment(at) })}</Text>
        <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate()}>
          {t('keep')}
        </Button>
      </Group>
      {keep.error !== null && <Text size="sm">{errorText(keep.error)}</Text>}
    </Alert>
  )
}

const maxShown = 99

/** Link to the notices, with the number of unseen ones. */
export function Bell({ unread }: { readonly unread: number }) {
  const t = useTranslations('notices')
  const { count } = useNumbers()
  return (
    <ActionIcon
      component={Link}
      href="/notices"
      variant="subtle"
      color="gray"
      size="lg"
      className="bell"
      aria-label={unread === 0 ? t('bell') : `${t('bell')}: ${t('unread', { count: unread })}`}
    >
      <IconBell size={18} stroke={1.6} />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > maxShown ? `${count(maxShown)}+` : count(unread)}
        </span>
      )}
    </ActionIcon>
  )
}

interface LookBannerProps {
  readonly me: Me
  readonly look: NonNullable<Me['look']>
}

/** Banner for an operator who looks at an account: whose pages these are, and the way out. */
export function ImpersonationBanner({ me, look }: LookBannerProps) {
  const t = useTranslations('looks')
  const { moment } = useNumbers()
  const leave = useMutation({
    mutationFn: () => ask(api.look.delete()),
    onSuccess: ({ back }) => location.assign(back),
  })
  return (
    <Alert className="notice" role="status" mb="lg">
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ flex: 1, minWidth: 220 }}>
          {t('banner', { name: `⁨${me.account.name}⁩`, until: moment(look.until) })}
        </Text>
        <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
          {t('leave')}
        </Button>
      </Group>
      <Failed error={leave.error} />
    </Alert>
  )
}
