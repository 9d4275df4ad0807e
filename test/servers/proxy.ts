import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect as connectSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../eventually.ts'
import { freePort } from './free-port.ts'

export interface TestProxy {
  port: number
  /** The self-signed certificate. */
  certificate: Buffer
  stop(): Promise<void>
}

const NAMES = ['localhost', 'master.localhost', 'host.localhost', 'phone.localhost', 'meeting.phone.localhost']

/** Starts the proxy of `deploy/` in front of these nodes, for the sites' default names. */
export async function startProxy(
  kind: 'nginx' | 'caddy',
  nodePorts: number[],
  edit: Edit = (file) => file,
): Promise<TestProxy> {
  const folder = await mkdtemp(join(tmpdir(), `parley-${kind}-`))
  makeCertificate(folder)
  const ports = { http: await freePort(), https: await freePort() }
  const [program, args] = await (kind === 'nginx' ? nginx : caddy)(folder, ports, nodePorts, edit)

  const env = { ...process.env, HOME: folder, PATH: `${process.env.PATH}:/usr/sbin` } // where Debian keeps nginx
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${kind} ended: ${output}`)))
  failed.catch(() => {}) // it ends on stopping too
  await Promise.race([failed, eventually(() => accepts(ports.https))])
  return {
    port: ports.https,
    certificate: await readFile(join(folder, 'fullchain.pem')),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function makeCertificate(folder: string): void {
  const names = NAMES.map((name) => `DNS:${name}`).join(',')
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', ...kind, '-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`, ...files], {
    stdio: 'ignore',
  })
}

type Ports = { http: number; https: number }
type Edit = (file: string) => string
type Command = [program: string, args: string[]]

async function nginx(folder: string, ports: Ports, nodePorts: number[], edit: Edit): Promise<Command> {
  const site = edit(await readFile('deploy/nginx.conf', 'utf8'))
    .replaceAll('parley.example', 'localhost')
    .replaceAll('/etc/ssl/parley', folder)
    .replaceAll(/^.*\[::\].*\n/gm, '')
    .replaceAll('listen 443', `listen 127.0.0.1:${ports.https}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${ports.http}`)
    .replace(/( *server 127\.0\.0\.1:\d+ .*\n)+/, nodePorts.map(nginxNode).join(''))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const isRoot = process.getuid?.() === 0
  await writeFile(join(folder, 'parley.conf'), site)
  await writeFile(
    join(folder, 'nginx.conf'),
    [
      ...(isRoot ? ['user root;'] : []),
      `daemon off; pid ${folder}/pid; error_log stderr;`,
      `events {} http { ${temporary.join(' ')} include ${folder}/parley.conf; }`,
    ].join('\n'),
  )
  return ['nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]]
}

const nginxNode = (port: number) => `    server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;\n`

async function caddy(folder: string, ports: Ports, nodePorts: number[], edit: Edit): Promise<Command> {
  const options = `admin off\n auto_https disable_redirects\n http_port ${ports.http}\n https_port ${ports.https}`
  const file = edit(await readFile('deploy/Caddyfile', 'utf8'))
    .replace(/^\{$/m, `{\n ${options}`)
    .replace(/\{\$PARLEY_SITES:.*?\} \{/, `${NAMES.join(', ')} {\n tls ${folder}/fullchain.pem ${folder}/privkey.pem`)
    .replace(/\{\$PARLEY_NODES:.*?\}/, nodePorts.map((port) => `127.0.0.1:${port}`).join(' '))
  await writeFile(join(folder, 'Caddyfile'), file)
  return ['caddy', ['run', '--config', join(folder, 'Caddyfile')]]
}

function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    }).once('error', reject)
  })
}
