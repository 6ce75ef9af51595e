/** Whether the official MCP registry has the namespace `io.github.<handle>` of the creator with this alias. */
export function hasRegistryNamespace(creator: string): string {
  return `coalesce((${creator}.imported ->> 'mcpRegistryGithubNamespace') = 'true', false)`;
}
