# Every third-party library, found once. All come from Debian packages (tools/setup installs them).

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(pugixml REQUIRED)
find_package(date REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(CURL REQUIRED)
find_package(zstd REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
