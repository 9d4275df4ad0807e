import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { PUBLIC_PAGES } from '../../shared/pages.ts'
import { PublicLayout } from '../features/public-pages/PublicLayout.tsx'
import { Loading } from '../ui/base/Loading.tsx'
import { panelPages } from './pages.ts'
import { Root, RootFailed } from './Root.tsx'

/** Loads a page's code when it is first opened, so that a login page does not load the panels. */
function page(path: string | undefined, load: () => Promise<ComponentType>, children?: RouteObject[]): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }), children }
}

const openScreens = import.meta.glob<Record<string, ComponentType>>([
  '../features/public-pages/*Screen.tsx',
  '../features/login/*Screen.tsx',
  '../features/oauth-return/*Screen.tsx',
])

/** Routes the pages without a login whose screens are in this folder; a screen is exported under its file's name. */
function openPages(folder: string): RouteObject[] {
  return Object.entries(PUBLIC_PAGES)
    .filter(([, { screen }]) => screen.startsWith(`${folder}/`))
    .map(([path, { screen }]) =>
      page(path, async () => {
        const module = await openScreens[`../${screen}`]?.()
        const Screen = module?.[screen.slice(folder.length + 1, -'.tsx'.length)]
        if (!Screen) throw new Error(`There is no screen ${screen}`)
        return Screen
      }),
    )
}

const panel = (role: 'master' | 'host', loadLayout: () => Promise<ComponentType>) =>
  page(`/${role}`, loadLayout, [
    page(
      undefined,
      async () => (await import('./VerifiedOnly.tsx')).VerifiedOnly,
      panelPages(role).map(({ path, load }) => page(path.slice(`/${role}/`.length), load)),
    ),
  ])

async function loadProviders() {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global') // Safari lacks it
  return (await import('./layout/Providers.tsx')).Providers
}

const panels = page(undefined, loadProviders, [
  panel('master', async () => (await import('./layout/MasterLayout.tsx')).MasterLayout),
  panel('host', async () => (await import('./layout/HostLayout.tsx')).HostLayout),
])

const FirstLoad = () => <Loading fullPage />
// Root redirects every unknown address; this only keeps the router from reporting it as one.
const Nothing = () => null

/** Call it after the token has been removed from the address. */
export function createRouter() {
  return createBrowserRouter([
    {
      Component: Root,
      ErrorBoundary: RootFailed,
      HydrateFallback: FirstLoad,
      children: [
        { Component: PublicLayout, children: openPages('features/public-pages') },
        ...openPages('features/login'),
        ...openPages('features/oauth-return'),
        panels,
        { path: '*', Component: Nothing },
      ],
    },
  ])
}
