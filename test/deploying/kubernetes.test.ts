import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { load, loadAll } from 'js-yaml'
import { projectFolder } from '../../src/core/db/statement.js'
import { page } from '../docs/curls.js'
import { temporaryFolder } from '../load/files.js'
import { ALL_SETTINGS } from '../../src/server/config.js'

type Tree = { [name: string]: Tree } & { [Symbol.iterator]?: never }
type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec: Tree }
type Container = {
  name: string
  image: string
  args: string[]
  env?: { name: string; value: string }[]
  resources: Tree
  securityContext: Tree
  ports?: { name: string; containerPort: number }[]
  volumeMounts: { name: string; mountPath: string }[]
}

const folder = 'deploy/kubernetes/'
const files = readdirSync(new URL(folder, projectFolder)).filter((name) => /^(?!kustomization).*\.yaml$/.test(name))
const manifests = files.flatMap((name) => loadAll(page(folder + name)) as Manifest[])
const own = manifests.filter(({ apiVersion }) => !apiVersion.startsWith('postgresql.cnpg.io'))
const of = (kind: string, name: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  assert.ok(found, `${kind} ${name}`)
  return found
}
/** Reads along a path: the manifests are data without a type. */
const at = (from: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], from)
const podOf = (manifest: Manifest) => at(manifest.spec, 'template.spec')
const containersOf = (manifest: Manifest) =>
  ['initContainers', 'containers'].flatMap((kind) => (at(podOf(manifest), kind) ?? []) as Container[])
const pods = manifests.filter((manifest) => podOf(manifest) !== undefined)

/** The module of a group and version in the package kubernetes-models. */
const moduleOf = (apiVersion: string) => {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  return ['kubernetes-models', group, version].filter(Boolean).join('/')
}

describe('the manifests for Kubernetes', function () {
  this.timeout(60_000)

  it('are valid by the schemas of Kubernetes', async () => {
    assert.ok(own.length >= 12)
    for (const manifest of own) {
      const models = (await import(moduleOf(manifest.apiVersion))) as Record<
        string,
        new (data: unknown) => { validate: () => void }
      >
      const Model = models[manifest.kind]
      assert.ok(Model, manifest.kind)
      assert.doesNotThrow(() => new Model(manifest).validate(), manifest.metadata.name)
    }
  })

  it('have no member that Kubernetes does not know', async () => {
    // The schemas let unknown members pass. The types of the same package do not.
    const work = temporaryFolder()
    try {
      const typed = own.map(
        (manifest, i) =>
          `import type { I${manifest.kind} as I${i} } from '${moduleOf(manifest.apiVersion)}'\nexport const m${i}: I${i} = ${JSON.stringify(manifest)}\n`,
      )
      const root = fileURLToPath(projectFolder)
      await promisify(execFile)('ln', [
        '-s',
        join(root, 'node_modules'),
        join(dirname(work.write('x', '')), 'node_modules'),
      ])
      const options = '--noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext --ignoreConfig'
      const words = [...options.split(' '), '--typeRoots', join(root, 'none'), work.write('all.ts', typed.join(''))]
      await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...words], {
        cwd: root,
      })
    } finally {
      work.remove()
    }
  })

  it('are all applied, each by its name', () => {
    const listed = [...page(`${folder}kustomization.yaml`).matchAll(/^ {2}- (\w+\.yaml)$/gm)].map(([, name]) => name)
    assert.deepEqual(new Set(listed), new Set(files))
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    assert.equal(new Set(names).size, names.length)
    const { version } = JSON.parse(page('package.json')) as { version: string }
    assert.match(page(`${folder}kustomization.yaml`), new RegExp(`newTag: ${version.replaceAll('.', '\\.')}\n`))
  })

  it('point at one another: Services, budgets, the autoscaler and policies name pods that there are', () => {
    const labels = new Set(pods.map((manifest) => at(manifest.spec, 'template.metadata.labels.app')))
    for (const { kind, metadata, spec } of manifests) {
      const selected = [
        at(spec, 'selector.app'),
        at(spec, 'selector.matchLabels.app'),
        at(spec, 'podSelector.matchLabels.app'),
        ...((at(spec, 'podSelector.matchExpressions.0.values') ?? []) as string[]),
      ].filter((label): label is string => typeof label === 'string')
      for (const label of selected) assert.ok(labels.has(label), `${kind} ${metadata.name}: ${label}`)
    }
    const scaled = at(of('HorizontalPodAutoscaler', 'frames').spec, 'scaleTargetRef') as { kind: string; name: string }
    assert.equal(at(of(scaled.kind, scaled.name).spec, 'replicas'), undefined)
    const policies = at(of('NetworkPolicy', 'closed').spec, 'podSelector.matchExpressions.0.values')
    assert.deepEqual(new Set(policies as string[]), labels)
  })

  it('let nothing reach the database but the pods that ask it, its servers and their operator', () => {
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const { podSelector, policyTypes, ingress } = of('NetworkPolicy', 'database').spec
    const servers = { matchLabels: { 'cnpg.io/cluster': of('Cluster', 'database').metadata.name } }
    assert.deepEqual([podSelector, policyTypes], [servers, ['Ingress']])
    const asking = policies.filter(({ spec }) => JSON.stringify(spec['egress'] ?? []).includes(JSON.stringify(servers)))
    const apps = asking.flatMap(({ spec }) => [
      at(spec, 'podSelector.matchLabels.app') ?? [],
      at(spec, 'podSelector.matchExpressions.0.values') ?? [],
    ])
    assert.deepEqual(ingress, [
      {
        from: [{ podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: apps.flat() }] } }],
        ports: [{ port: 5432 }],
      },
      {
        from: [
          { podSelector: servers },
          { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'cnpg-system' } } },
        ],
        ports: [{ port: 5432 }, { port: 8000 }],
      },
    ])
  })

  it('name each image in kustomization.yaml, by a tag or by the digest that pins it', () => {
    const { images } = load(page(`${folder}kustomization.yaml`)) as { images: Record<string, string>[] }
    const cluster = String(at(of('Cluster', 'database').spec, 'imageName'))
    const used = [...pods.flatMap(containersOf).map(({ image }) => image), cluster]
    const DIGEST = 'sha256:[0-9a-f]{64}'
    for (const image of used) assert.match(image, new RegExp(`^(spatial-frame-index|[^@]+:\\d[\\w.-]*(@${DIGEST})?)$`))
    assert.deepEqual(new Set(images.map(({ name }) => name)), new Set(used.map((image) => image.replace(/:.*/, ''))))
    for (const { name = '', newTag, digest } of images) {
      assert.match(digest ?? '', new RegExp(newTag === undefined ? `^${DIGEST}$` : '^$'), name)
      const tagged = used.find((image) => image.startsWith(`${name}:`))
      if (tagged !== undefined && newTag !== undefined) assert.equal(tagged, `${name}:${newTag}`)
    }
  })

  it('start containers that are closed, bounded and on a pinned image', () => {
    for (const manifest of pods) {
      const pod = podOf(manifest)
      assert.equal(at(pod, 'securityContext.runAsNonRoot'), true, manifest.metadata.name)
      assert.equal(at(pod, 'automountServiceAccountToken'), false, manifest.metadata.name)
      for (const { name, image, securityContext, resources } of containersOf(manifest)) {
        const closed = {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        }
        assert.deepEqual(securityContext, closed, name)
        assert.ok(at(resources, 'limits.memory') && at(resources, 'requests.cpu'), name)
        assert.match(image, /^spatial-frame-index$|:\d+[\w.-]+(@sha256:[0-9a-f]{64})?$/)
      }
    }
  })

  it('probe the paths of the operators’ port, and give a stopping process its time', () => {
    const pod = podOf(of('Deployment', 'frames'))
    const [container] = containersOf(of('Deployment', 'frames'))
    assert.ok(container)
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => at(container, `${name}.httpGet`))
    const [livez, readyz] = ['/livez', '/readyz'].map((path) => ({ path, port: 'ops' }))
    assert.deepEqual(probes, [livez, livez, readyz])
    assert.deepEqual(
      container.ports?.map(({ containerPort }) => containerPort),
      [3000, 3001],
    )
    const env = new Map(container.env?.map(({ name, value }) => [name, value]))
    const drain = Number(env.get('DRAIN_SECONDS'))
    assert.ok(Number(at(pod, 'terminationGracePeriodSeconds')) >= drain + 12)
    const unready =
      Number(at(container, 'readinessProbe.periodSeconds')) * Number(at(container, 'readinessProbe.failureThreshold'))
    assert.ok(drain > unready)
  })

  it('name settings and secrets that there are, and give each container its own', () => {
    const made = page('docker/make-secrets.sh')
    const seen: Record<string, string[]> = {}
    for (const manifest of pods) {
      const volumes = (at(podOf(manifest), 'volumes') ?? []) as Tree[]
      for (const { name, env = [], volumeMounts } of containersOf(manifest)) {
        for (const { name: setting } of env) assert.ok(setting.replace(/_FILE$/, '') in ALL_SETTINGS, setting)
        const keys = volumeMounts.flatMap((mount) => {
          const volume = volumes.find((each) => at(each, 'name') === mount.name)
          return ((at(volume, 'secret.items') ?? []) as { key: string }[]).map(({ key }) => key)
        })
        for (const { value } of env.filter(({ name: each }) => each.endsWith('_FILE')))
          assert.ok(keys.includes(value.split('/').at(-1) ?? ''), value)
        seen[name] = keys
      }
    }
    assert.deepEqual(seen, {
      service: ['service_url', 'console_url', 'anthropic_api_key'],
      roles: ['postgres_password', 'owner_password', 'service_password', 'console_password', 'analyst_password'],
      migrate: ['owner_url'],
      commands: ['owner_url'],
      redis: [],
    })
    for (const key of Object.values(seen).flat()) {
      const [, who, what] = /^(\w+?)_(password|url|api_key)$/.exec(key) ?? []
      assert.ok(made.includes(`for who in`) && made.includes(who ?? '?') && made.includes(`_${what}`), key)
    }
    for (const name of files) assert.doesNotMatch(page(folder + name), /:\/\/[^/\s]*:[^/\s]*@|svc_sk_/)
  })
})
