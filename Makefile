build/default/CMakeCache.txt:
	cmake --preset default
