{
  "targets": [
    {
      "target_name": "cuda_driver",
      "sources": ["native/shim.c"],
      "cflags": ["-std=c11", "-O2", "-Wall", "-Wextra", "-fvisibility=hidden"],
      "conditions": [["OS=='linux'", { "libraries": ["-ldl"] }]]
    }
  ]
}
