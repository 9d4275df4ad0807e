import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { readGuide } from './web/lib/markdown/read-guide.ts'

/** The libraries of both the console and the phone app. */
const REACT = /node_modules\/(react|react-dom|scheduler)\//

/** The phone app and the pages before sign-in share these, so that neither loads the other icons. */
const PARTS = new RegExp(
  [
    '/web/ui/base/(BrandMark|Button|LightNotice|LightPasswordField|Spinner|TextField)\\.',
    iconFiles(
      'AlertTriangle|ArrowLeft|Check|Clock|DeviceMobile|Eye|EyeOff|InfoCircle|Logout|Refresh|User|Users|WifiOff|World|X',
    ),
    '@tabler/icons-react/dist/esm/\\w+\\.mjs$',
    '/shared/(too-long-message|normalise)\\.ts$',
  ].join('|'),
)

/** The base of each console page, with the other icons of the pages before sign-in. */
const ROUTER = new RegExp(
  [
    'node_modules/(react-router|cookie)/',
    iconFiles(
      'BrandGooglePlay|ChartLine|Microphone2|Moon|PhoneCall|School|Sun',
      // web/app/pages.ts refers to these, which the redirects need.
      'CalendarDollar|CalendarTime|CalendarUser|Cloud|DeviceMobileCog|Door|Download|Headset|Heartbeat|History|Home|Key|LayoutDashboard|UserCog|UserShield|UsersGroup',
    ),
  ].join('|'),
)

/** The other icons of the phone app, of its screens behind the sign-in. */
const ROOM_ICONS = new RegExp(
  iconFiles(
    'ArrowsDiagonal|ArrowsDiagonalMinimize2|CircleDot|ExternalLink|HandStop|Headphones|Help|Message|Microphone|MicrophoneOff|Phone',
    'Volume|VolumeOff',
  ),
)

function iconFiles(...names: string[]): string {
  return `/Icon(${names.join('|')})\\.mjs$`
}

export default defineConfig({
  root: 'web',
  cacheDir: '../node_modules/.vite',
  plugins: [react(), markdown(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    // Lists each page's files for the server, which names them in the page itself.
    manifest: true,
    // The pages' policy forbids data: URLs for fonts and scripts, so every asset is a hashed file.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The console, the phone app, and the frames of both that run Zoom's code.
      input: {
        index: 'web/index.html',
        phone: 'web/phone/index.html',
        meeting: 'web/meeting/index.html',
        seat: 'web/seat/index.html',
      },
      output: {
        codeSplitting: {
          groups: [
            // They change less often than our own code.
            { name: 'react', test: REACT, priority: 3 },
            { name: 'parts', test: PARTS, priority: 3 },
            { name: 'router', test: ROUTER, priority: 2 },
            { name: 'room-icons', test: ROOM_ICONS, priority: 2 },
            // A single icon is a file of 200 bytes, so all other icons that we use share one small file.
            { name: 'icons', test: /node_modules\/@tabler\//, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    allowedHosts: ['.localhost'],
    proxy: { '/api': 'http://127.0.0.1:3000' },
  },
})

/** Renders the guides of docs/ at build time, so that the browser needs no Markdown parser. */
function markdown(): Plugin {
  return {
    name: 'markdown',
    async load(id) {
      if (!id.endsWith('.md')) return null
      const guide = readGuide(await readFile(id, 'utf8'))
      return { code: `export default ${JSON.stringify(guide)}`, moduleType: 'js' }
    },
  }
}

/** Compresses the built files once, at the highest level, so that the server can send them as they are. */
function precompress(): Plugin {
  const WORTH_IT = 256
  const forms = { br: promisify(brotliCompress), gz: promisify(gzip) }
  let folder = ''

  async function compress(file: string) {
    const content = await readFile(file)
    if (content.length < WORTH_IT) return
    for (const [ending, squeeze] of Object.entries(forms)) await writeFile(`${file}.${ending}`, await squeeze(content))
  }

  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async writeBundle() {
      if (this.meta.watchMode) return // a quick build matters more during development
      const files = await readdir(folder, { recursive: true })
      const texts = files.filter((file) => /\.(js|css|svg|webmanifest)$/.test(file))
      await Promise.all(texts.map((file) => compress(join(folder, file))))
    },
  }
}
