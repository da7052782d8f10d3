/** What holds secrets whatever directory it lies in. All lower case. */
const names = anyOf([
  /^\.env(?!.*\.(?:example|sample|template)$)/,
  /^(?!example\.|sample\.|template\.).+\.env$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|ppk|kdbx?|keytab|ovpn|agekey|gpg|tfstate|tfvars|kubeconfig)$/,
  /\.tfstate\.backup$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-].*)?(?<!\.pub)$/,
  /^[._](?:netrc|npmrc|pypirc|pgpass|dockercfg|htpasswd|s3cfg|boto|rhosts|vault-token|vault_pass.*)$/,
  /^\.(?:git|my\.cnf|mylogin\.cnf|git-credentials|dockerconfigjson|terraformrc)$/,
  /^\.[a-z_]*history$/,
  /^(?:service[-_]?account|client[-_]?secret|gha-creds-).*\.json$/,
  /^(?:application_default_|oauth_|aws_)?(?:credentials|creds)\.json$/,
  /^secrets?\.(?:ya?ml|json|toml|ini|properties)$/,
  /^(?:kubeconfig|authorized_keys|g?shadow-?)$/,
]);

/** Directories in which everything is secret or leads to it: `.git/config` holds tokens in addresses. */
const places = anyOf([/\/\.(?:git|ssh|gnupg|envs?|password-store|azure|kube)\//, /\/\.config\/(?:gcloud|op|doctl)\//]);

const paths = anyOf([
  /\/\.aws\/(?:credentials|config|(?:sso|cli)\/cache\/.*)$/,
  /\/\.docker\/config\.json$/,
  /\/\.(?:gemini|codex|claude)\/(?:oauth_creds|auth|google_accounts|\.credentials)\.json$/,
  /\/\.config\/(?:gh\/hosts\.yml|hub|composer\/auth\.json|rclone\/rclone\.conf)$/,
  /\/\.cargo\/credentials(?:\.toml)?$/,
  /\/\.m2\/settings(?:-security)?\.xml$/,
  /\/\.gradle\/gradle\.properties$/,
  /\/\.terraform\.d\/credentials\.tfrc\.json$/,
]);

/**
 * Whether a path looks like one that holds secrets, by its names alone and in any case.
 *
 * Not promised: a secret under an ordinary name is not found.
 */
export function isSensitivePath(path: string): boolean {
  const lower = `/${path.replaceAll('\\', '/').toLowerCase()}`;
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  // Every place and path of the lists has a hidden directory in it, and few files lie in one.
  return names.test(name) || (lower.includes('/.') && (places.test(lower) || paths.test(lower)));
}

/** One expression is asked much faster than thirty. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'));
}
