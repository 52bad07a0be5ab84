{
  "targets": [
    {
      "target_name": "cuda_driver",
      "sources": ["native/shim.c"],
      # node-gyp builds with MSVC on Windows: 17.5 or later, whose C has atomics only where they are asked for.
      "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/std:c11", "/experimental:c11atomics"] } },
      "cflags": ["-std=c11", "-O2", "-Wall", "-Wextra", "-fvisibility=hidden"],
      "conditions": [["OS=='linux'", { "libraries": ["-ldl"] }]]
    }
  ]
}
