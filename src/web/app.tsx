import { Alert, Button, Group } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Route, Switch, useLocation } from 'wouter'
import { setMe, useMe, type Me } from './me'
import { innerPages, pages, publicPages } from './pages'
import { lazyPage } from './parts/lazy-page'
import { waiting } from './parts/waiting'

const SignIn = lazyPage(() => import('./pages/sign-in').then((page) => page.SignIn), waiting)
const Sister = lazyPage(() => import('./pages/sister').then((page) => page.Sister), waiting)
const Look = lazyPage(() => import('./pages/look').then((page) => page.Look), waiting)
const Operators = lazyPage(
  () => import('./operator/operators').then((part) => part.Operators),
  waiting,
)
const Shell = lazyPage(() => import('./parts/shell').then((part) => part.Shell), waiting)
const PublicShell = lazyPage(
  () => import('./parts/public-shell').then((part) => part.PublicShell),
  waiting,
)

/**
 * Routes of the web app: sign-in and public pages for strangers, pages of an account for whoever is signed
 * in.
 */
export function App() {
  const me = useMe()
  const [path] = useLocation()
  if (path === '/operator' || path.startsWith('/operator/')) return <Operators />
  // Whoever comes with a ticket is signed in by it, also in the place of somebody else.
  if (path === '/sister') return <Sister />
  if (path === '/look') return <Look />
  if (me.isError) return <Unreached onRetry={() => void me.refetch()} />
  if (me.data === undefined) return waiting
  if (me.data === null) return /^\/models(?:\/|$)/.test(path) ? <Public /> : <SignIn onIn={setMe} />
  return <SignedIn me={me.data} />
}

const SignedIn = ({ me }: { readonly me: Me }) => (
  <Shell me={me}>
    <Switch>
      {pages.map(([path, name, , Page]) => (
        <Route key={name} path={path}>
          <Page me={me} />
        </Route>
      ))}
      {innerPages.map(([path, Page]) => (
        <Route key={path} path={path}>
          <Page />
        </Route>
      ))}
      <Route>
        <NotHere />
      </Route>
    </Switch>
  </Shell>
)

const Public = () => (
  <PublicShell>
    <Switch>
      {publicPages.map(([path, Page]) => (
        <Route key={path} path={path}>
          <Page />
        </Route>
      ))}
    </Switch>
  </PublicShell>
)

function NotHere() {
  const t = useTranslations('errors')
  return <Alert className="notice">{t('not_found')}</Alert>
}

function Unreached({ onRetry }: { readonly onRetry: () => void }) {
  const t = useTranslations('errors')
  return (
    <main className="entrance">
      <Alert className="notice" role="alert">
        <Group justify="space-between">
          {t('other')}
          <Button variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        </Group>
      </Alert>
    </main>
  )
}
